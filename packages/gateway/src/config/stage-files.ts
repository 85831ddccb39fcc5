import type { Issue, KeyPath } from './issues.ts';
import { errorAt } from './issues.ts';
import { readNamedFile } from './named-files.ts';
import type { ConfigurationValues } from './schema.ts';
import type { YamlTree } from './yaml-tree.ts';

/** The values of a configuration with what its files of terms and of protected texts hold. */
export interface WithFiles {
  readonly values: ConfigurationValues;
  readonly issues: readonly Issue[];
  /** Where a term of a list stands: in the configuration, or in a file. */
  readonly termPlace: (list: number, term: number) => TermPlace;
}

/** Where a term stands. */
export interface TermPlace {
  readonly path: KeyPath;
  /** `terms.txt line 3: ` where it stands in a file. */
  readonly prefix: string;
}

/** Characters of all protected texts: their index takes about 30 MB, in each process and its thread. */
const MAX_PROTECTED = 1_000_000;

const LISTS: KeyPath = ['stage_config', 'terms_scanner', 'lists'];
const CONTAMINATION: KeyPath = ['stage_config', 'contamination_check'];

/**
 * Reads the files that `stage_config` names, and puts what they hold beside the texts of the configuration: it is part
 * of the configuration from there on, of its hash and of what a reload compares.
 *
 * @param folder that of the configuration; relative paths begin there
 */
export function withStageFiles(
  values: ConfigurationValues,
  tree: YamlTree,
  folder: string,
): WithFiles {
  const issues: Issue[] = [];
  const fail = (path: KeyPath, message: string) =>
    void issues.push(errorAt(tree.placeOf(path), tree.pathOf(path), message));
  const { stage_config } = values;
  const { terms_scanner, contamination_check } = stage_config;
  const origins: ((term: number) => TermPlace)[] = [];
  const lists = terms_scanner.lists.map((list, at) => {
    const path = [...LISTS, at];
    const read = readTerms(list, path, folder, fail);
    origins.push(read.placeOf);
    return { ...list, terms: read.terms };
  });
  const protected_texts = readProtected(contamination_check, folder, fail);
  return {
    values: {
      ...values,
      stage_config: {
        ...stage_config,
        terms_scanner: { ...terms_scanner, lists },
        contamination_check: { ...contamination_check, protected_texts },
      },
    },
    issues,
    termPlace: (list, term) =>
      origins[list]?.(term) ?? { path: [...LISTS, list, 'terms', term], prefix: '' },
  };
}

type StageConfig = ConfigurationValues['stage_config'];
type Fail = (path: KeyPath, message: string) => void;

function readTerms(
  { terms, file }: StageConfig['terms_scanner']['lists'][number],
  at: KeyPath,
  folder: string,
  fail: Fail,
) {
  const inline = (term: number): TermPlace => ({ path: [...at, 'terms', term], prefix: '' });
  if (file === undefined) return { terms, placeOf: inline };
  const path = [...at, 'file'];
  const read = readNamedFile(file, folder, 'lines');
  if ('fault' in read) {
    fail(path, read.fault);
    return { terms, placeOf: inline };
  }
  if (read.texts.length === 0) fail(path, `${file} has no term`);
  const placeOf = (term: number): TermPlace => {
    const index = term - terms.length;
    if (index < 0) return inline(term);
    const where = read.lines === null ? `index ${index}` : `line ${read.lines[index]}`;
    return { path, prefix: `${file} ${where}: ` };
  };
  return { terms: [...terms, ...read.texts], placeOf };
}

function readProtected(
  { protected_texts, protected_files }: StageConfig['contamination_check'],
  folder: string,
  fail: Fail,
): string[] {
  const texts = [...protected_texts];
  let length = texts.reduce((sum, text) => sum + text.length, 0);
  const isTooMuch = () => length > MAX_PROTECTED;
  const message = () =>
    `the protected texts have ${length} characters; at most ${MAX_PROTECTED} in all`;
  if (isTooMuch()) fail([...CONTAMINATION, 'protected_texts'], message());
  for (const [at, file] of protected_files.entries()) {
    const path = [...CONTAMINATION, 'protected_files', at];
    const read = readNamedFile(file, folder, 'whole');
    if ('fault' in read) {
      fail(path, read.fault);
      continue;
    }
    if (read.texts.length === 0) fail(path, `${file} has no text`);
    const wasTooMuch = isTooMuch();
    length += read.texts.reduce((sum, text) => sum + text.length, 0);
    if (isTooMuch() && !wasTooMuch) fail(path, message());
    texts.push(...read.texts);
  }
  return texts;
}
