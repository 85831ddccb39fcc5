import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageData, WordList } from '../../src/languages/language-data.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(PACKAGE, 'src', 'languages');
const LANGUAGE_FILE = /^([a-z]{2,3}(?:-[A-Za-z\d]+)*)\.json$/;

/** The registry of languages. */
export const REGISTRY = join(FOLDER, 'languages.generated.ts');
/** The page with the table of languages. */
export const PAGE = join(PACKAGE, '..', '..', 'docs', 'detection.md');

/** The tags of the languages that have a file, in order. */
export function languageTags(): string[] {
  return readdirSync(FOLDER)
    .flatMap((file) => LANGUAGE_FILE.exec(file)?.[1] ?? [])
    .sort();
}

/** The source text of the registry of some languages. */
export function registryOf(tags: readonly string[]): string {
  const imports = tags.map(
    (tag) => `import ${nameOf(tag)} from './${tag}.json' with { type: 'json' };`,
  );
  const type = "import type { LanguageData } from './language-data.ts';";
  const sorted = [...imports, type].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  return [
    '// Written by test/languages/registry.test.ts with WRITE_LANGUAGES=1; never by hand.',
    ...sorted,
    '',
    '/** All languages, in the order of their tags. */',
    'export const LANGUAGES: readonly LanguageData[] = [',
    ...tags.map((tag) => `  ${nameOf(tag)},`),
    '];',
    '',
  ].join('\n');
}

function nameOf(tag: string): string {
  return tag.replaceAll('-', '');
}

function pathOf(line: string): string {
  return /'([^']+)\.(?:ts|json)'/.exec(line)?.[1] ?? '';
}

/** Reads the data of a language from its own file, whether or not the registry has it. */
export function loadLanguage(tag: string): LanguageData {
  return JSON.parse(readText(join(FOLDER, `${tag}.json`))) as LanguageData;
}

/** The schema of the files of languages. */
export function languageSchema(): object {
  return JSON.parse(readText(join(FOLDER, 'language.schema.json'))) as object;
}

const BEGIN = '<!-- languages: begin -->\n';
const END = '<!-- languages: end -->';

/** The page with its table of languages replaced. */
export function withCoverage(page: string, languages: readonly LanguageData[]): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the table of languages`);
  return page.slice(0, begin + BEGIN.length) + coverageOf(languages) + page.slice(end);
}

/** What lists each language has for each stage, as a Markdown table; a list with its number of entries. */
function coverageOf(languages: readonly LanguageData[]): string {
  const rows = languages.map(({ tag, name, pii, secrets, injection, hallucination }) => {
    const cells = [pii, secrets, injection, hallucination].map((lists) => cellOf(lists ?? {}));
    return `| ${name} | \`${tag}\` | ${cells.join(' | ')} |`;
  });
  return [
    '| Language | Tag | `pii_scanner` | `secrets_scanner` | `injection_scanner` | `hallucination_detector` |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cellOf(lists: object): string {
  const listed = Object.entries(lists)
    .filter(([name]) => name !== 'parts')
    .map(([name, list]) => `${name} ${sizeOf(name, list)}`);
  return listed.length === 0 ? '–' : listed.join(', ');
}

function sizeOf(name: string, list: unknown): number {
  if (Array.isArray(list)) return list.length;
  // The override of instructions is one expression.
  if (name === 'override') return 1;
  return Object.values(list as Record<string, string | WordList>).reduce(
    (sum, words) => sum + (typeof words === 'string' ? 1 : words.length),
    0,
  );
}

/** The text of a file with line ends of one kind. */
export function readText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
}
