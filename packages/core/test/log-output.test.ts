import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createBatchedOutput } from '../src/log-output.ts';

test('lines are written together and in order when their time has come', () => {
  const written: string[] = [];
  const timers: Array<() => void> = [];
  const output = createBatchedOutput(
    (text) => written.push(text),
    (timer) => timers.push(timer),
  );
  output.write('a\n');
  output.write('b\n');
  assert.deepEqual([written, timers.length], [[], 1]);
  timers.shift()?.();
  output.write('c\n');
  output.flush();
  timers.shift()?.();
  assert.deepEqual(written, ['a\nb\n', 'c\n']);
});

for (const [name, ending] of [
  ['process.exit', 'process.exit(3)'],
  ['an error that nobody caught', 'throw new Error("end")'],
] as const) {
  test(`a process that ends by ${name} has written its last line`, () => {
    const logger = new URL('../src/logger.js', import.meta.url).href;
    const program = `import { createLogger } from '${logger}'; createLogger().info('last'); ${ending};`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.notEqual(status, 0);
    assert.match(stdout, /"message":"last"\}\n$/);
  });
}
