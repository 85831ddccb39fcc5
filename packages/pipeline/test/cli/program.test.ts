import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../bin/probity-scan.js', import.meta.url));

describe('the program probity-scan', () => {
  it('the program probity-scan prints a result while its input is still open', async () => {
    const child = start(['--jsonl', '--stages', 'pii']);
    child.stdin.write('{"id":1,"text":"a"}\n');
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(JSON.parse(String(chunk)).id, 1);
    child.stdin.end();
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });

  it('the program probity-scan ends when the reader of its output closes, although input is left', async () => {
    const child = start(['--jsonl', '--stages', 'pii']);
    child.stdin.on('error', () => {});
    const feed = () => {
      while (child.stdin.writable && child.stdin.write('{"id":1,"text":"a"}\n'));
      if (child.stdin.writable) child.stdin.once('drain', feed);
    };
    feed();
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    assert.equal(code, 1);
  });

  it('the program probity-scan says why its output cannot be written', async (t) => {
    if (!existsSync('/dev/full')) return t.skip('no such file on this system');
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    const child = spawn(process.execPath, [PROGRAM, '--jsonl', '--stages', 'pii'], {
      stdio: ['pipe', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
    child.stdin?.end('{"id":1,"text":"a"}\n');
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.equal(stderr, 'probity-scan: cannot write: no space left\n');
  });
});

function start(args: readonly string[]) {
  return spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}
