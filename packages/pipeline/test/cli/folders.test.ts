import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readText } from '../../src/cli/input-files.ts';
import { main } from '../../src/cli/main.ts';

const SSN = 'my SSN is 536-22-8726';

describe('probity-scan of folders', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'probity-folders-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  }

  async function run(...args: readonly string[]) {
    let stdout = '';
    let stderr = '';
    const code = await main(['--stages', 'pii', ...args], {
      stdin: nothing(),
      stdout: {
        write(text) {
          stdout += text;
          return true;
        },
        once: () => {},
        on: () => {},
      },
      stderr: { write: (text: string) => (stderr += text) },
    });
    const lines = stdout.split('\n').filter((line) => line !== '');
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    return { code, stderr, ids: ids.map((id) => String(id).replace(`${folder}/`, '')), lines };
  }

  it('scans the files of a folder and of its folders by name, and a file in its turn', async () => {
    write({
      'b.txt': SSN,
      'a/z.md': 'a',
      'a/b/c.txt': 'b',
      'B.txt': 'c',
      '.env': 'd',
      'a.txt': '',
    });
    const { code, stderr, ids, lines } = await run(join(folder, 'b.txt'), folder);
    assert.deepEqual(ids, ['b.txt', '.env', 'B.txt', 'a/b/c.txt', 'a/z.md', 'a.txt', 'b.txt']);
    assert.match(String(lines[0]), /"type":"ssn"/);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('leaves out version control, installed packages, links and binary files, and says how many', async () => {
    write({
      'a.txt': 'a',
      '.git/config': SSN,
      'x/node_modules/p/readme.md': SSN,
      'x/__pycache__/m.txt': SSN,
      'x/image.png': new Uint8Array([0x89, 0x50, 0, 0]),
      'x/late.txt': `${'a'.repeat(9_000)}\0`,
    });
    symlinkSync(folder, join(folder, 'x', 'loop'));
    symlinkSync(join(folder, 'a.txt'), join(folder, 'x', 'link.txt'));
    const { code, stderr, ids } = await run(folder);
    assert.deepEqual(ids, ['a.txt', 'x/late.txt']);
    assert.deepEqual([code, stderr], [0, 'probity-scan: 1 binary file left out\n']);
    const named = await run(join(folder, '.git'));
    assert.deepEqual(named.ids, ['.git/config'], 'what is named is scanned');
  });

  it('probity-scan refuses named binary files and scans the others', async () => {
    write({
      'a.txt': 'a',
      'image.png': new Uint8Array([0x89, 0x50, 0, 0]),
      'report.pdf': '%PDF-1.7\n1 0 obj\n',
    });
    const paths = ['image.png', 'report.pdf', 'a.txt'].map((name) => join(folder, name));
    const { code, ids, stderr } = await run(...paths);
    assert.deepEqual([code, ids], [1, ['a.txt']]);
    const reasons = paths
      .slice(0, 2)
      .map((path) => `probity-scan: cannot scan ${path}: it is a binary file; extract its text\n`);
    assert.equal(stderr, reasons.join(''));
    assert.equal((await run(folder)).stderr, 'probity-scan: 2 binary files left out\n');
  });

  it('takes the files with the endings of --ext, and those of rows with --jsonl', async () => {
    write({
      'a.md': 'a',
      'b.TXT': 'b',
      'c.js': 'c',
      md: 'd',
      'r.jsonl': '{"id":"row","text":"a"}\n',
    });
    assert.deepEqual((await run('--ext', 'md, .txt', folder)).ids, ['a.md', 'b.TXT']);
    assert.deepEqual((await run('--ext', 'md', folder, join(folder, 'c.js'))).ids, [
      'a.md',
      'c.js',
    ]);
    assert.deepEqual((await run('--jsonl', folder)).ids, ['row']);
    const none = await run('--ext', 'pdf', folder);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /nothing to scan: .* has no file that ends in \.pdf\n$/);
  });

  it('reads UTF-16 with a byte order mark, which is not binary', async () => {
    const little = Buffer.from(`\ufeff${SSN}`, 'utf16le');
    write({ 'a.txt': little, 'b.txt': Buffer.from(little).swap16(), 'c.txt': `\ufeff${SSN}` });
    const { ids, lines, stderr } = await run(folder);
    assert.deepEqual([ids, stderr], [['a.txt', 'b.txt', 'c.txt'], '']);
    for (const line of lines) assert.match(line, /"type":"ssn","start":10,"end":21,/);
  });

  it('goes on after a text that is too long, and reads no more of it', async () => {
    let isClosed = false;
    let given = 0;
    async function* chunks() {
      try {
        for (; given < 100; given++) yield new Uint8Array(2 ** 19);
        return true;
      } finally {
        isClosed = true;
      }
    }
    const file = { path: 'a.txt', bytes: undefined, isFound: false };
    const unscanned = { binary: 0, unreadable: [] as string[] };
    assert.equal(await readText(file, chunks(), unscanned, 1), undefined);
    assert.deepEqual([isClosed, given], [true, 2]);
    assert.match(unscanned.unreadable.join(), /^cannot scan a\.txt: it is longer than 1 MiB; /);
  });

  it('goes on after a file that cannot be read, names it, and exits with 1', async (t) => {
    // A file whose first bytes no process has.
    const broken = '/proc/self/mem';
    if (!existsSync(broken)) return t.skip('no such file on this system');
    write({ 'a.txt': 'a', 'c.txt': 'c' });
    const { code, stderr, ids } = await run(join(folder, 'a.txt'), broken, join(folder, 'c.txt'));
    assert.deepEqual(ids, ['a.txt', 'c.txt']);
    assert.equal(code, 1);
    assert.match(stderr, /^probity-scan: cannot read \/proc\/self\/mem: .*\n$/);
  });
});

async function* nothing(): AsyncGenerator<string> {
  yield* [];
}
