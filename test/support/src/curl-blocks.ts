import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { differences } from './documented-answer.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const TIE = /^\s*<!--\s*curl:\s*(\S+)\s*-->\s*$/;
const COMMAND = /^[ $]*curl\s/m;

/** A block of a document with commands that call curl. */
export interface CurlBlock {
  /** The document and its line, for messages. */
  readonly at: string;
  /** The test that the comment above the block names, from the root; undefined without comment. */
  readonly test: string | undefined;
  readonly commands: readonly string[];
  /** The answer that the document shows for the last command. */
  readonly answer: string | undefined;
}

/** The blocks with curl in all documents of the repository. */
export function findCurlBlocks(): CurlBlock[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
  const documents = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return [...new Set(documents)].flatMap((file) =>
    parseCurlBlocks(file, readFileSync(join(root, file), 'utf8')),
  );
}

/** The blocks with curl in a document's text. */
export function parseCurlBlocks(file: string, text: string): CurlBlock[] {
  const fences = fencesOf(text.split('\n'));
  return fences.flatMap(({ line, before, code }, index) => {
    if (!COMMAND.test(code)) return [];
    const commands = code.split(/^(?=curl )|^\s*\n/m).filter((part) => part.trim() !== '');
    const next = fences[index + 1];
    const answer = next?.language === 'json' && next.followsFence ? next.code : undefined;
    return [{ at: `${file}:${line}`, test: TIE.exec(before)?.[1], commands, answer }];
  });
}

interface Fence {
  /** Its number in the document, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The line above it. */
  readonly before: string;
  /** Whether only empty lines are between the fence above and this one. */
  readonly followsFence: boolean;
}

/** The fenced blocks of a document. */
function fencesOf(lines: readonly string[]): Fence[] {
  const fences: Fence[] = [];
  let end = -1;
  for (let start = 0; start < lines.length; start += 1) {
    const [, mark, language = ''] = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(lines[start] ?? '') ?? [];
    if (mark === undefined) continue;
    const close = lines.findIndex((line, index) => index > start && line.trim() === mark);
    if (close === -1) break;
    fences.push({
      line: start + 1,
      language,
      code: `${lines.slice(start + 1, close).join('\n')}\n`,
      before: lines[start - 1] ?? '',
      followsFence:
        end !== -1 &&
        lines
          .slice(end + 1, start)
          .join('')
          .trim() === '',
    });
    end = close;
    start = close;
  }
  return fences;
}

/** A server against which the curl blocks of documents are run. */
export interface CurlTarget {
  /** The origin that replaces the documented one. */
  readonly url: string;
  /** A folder for files that the commands write. */
  readonly folder: string;
  /** The shell variables that the documents take for granted. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the curl blocks whose comment names the calling test, in the order of the documents. The
 * members of an answer become variables of later commands: `csrf_token` is `$CSRF_TOKEN`, and `data.id` is `$ID`. Each
 * answer must equal the documented one (see `differences`); one without must be a success.
 *
 * @param test `import.meta.url` of the compiled test
 * @throws AssertionError also when no document names the test
 */
export async function runCurlBlocks(test: string, target: CurlTarget): Promise<void> {
  const name = sourceOf(test);
  const blocks = findCurlBlocks().filter((block) => block.test === name);
  assert.ok(blocks.length > 0, `no document has a block with the comment <!-- curl: ${name} -->`);
  const variables: NodeJS.ProcessEnv = { ...target.variables };
  for (const { at, commands, answer } of blocks) {
    for (const [index, command] of commands.entries()) {
      const { status, body } = await runCurl(`${at}: ${command}`, command, target, variables);
      const json = parseJson(body);
      for (const [member, value] of Object.entries(json ?? {}))
        if (typeof value === 'string') variables[member.toUpperCase()] = value;
      const { id } = (json?.data ?? {}) as { id?: unknown };
      if (typeof id === 'string') variables.ID = id;
      const expected = index === commands.length - 1 ? answer : undefined;
      if (expected === undefined)
        assert.ok(status >= 200 && status < 300, `${at}: ${command}\n${status} ${body}`);
      else assert.deepEqual(differences(JSON.parse(expected), json), [], `${at}\n${body}`);
    }
  }
}

async function runCurl(at: string, command: string, target: CurlTarget, env: NodeJS.ProcessEnv) {
  assert.match(command, /^curl /, `${at}\nA block with curl holds only commands that begin so.`);
  const text = command
    .replace(/https?:\/\/[^/\s'"]+/, target.url)
    .replace(/^curl/, "curl -sS --max-time 20 -w '\\n%{http_code}'");
  const options = { cwd: target.folder, env: { ...env, PATH: process.env.PATH } };
  const { stdout } = await promisify(execFile)('sh', ['-uc', text], options);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end)), body: stdout.slice(0, end) };
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // e.g. the empty body of a 204
  }
}

/** `examples/express/test/app.test.ts` for the URL of its compiled file. */
function sourceOf(url: string): string {
  const path = relative(root, fileURLToPath(url)).replaceAll('\\', '/');
  return path.replace('/dist/', '/').replace(/\.js$/, '.ts');
}
