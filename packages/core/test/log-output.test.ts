import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createTurnOutput } from '../src/log-output.ts';

test('the lines of a turn are written together and in order', () => {
  const written: string[] = [];
  const turns: Array<() => void> = [];
  const output = createTurnOutput(
    (text) => written.push(text),
    (turn) => turns.push(turn),
  );
  output.write('a\n');
  output.write('b\n');
  assert.deepEqual([written, turns.length], [[], 1]);
  turns.shift()?.();
  output.write('c\n');
  output.flush();
  turns.shift()?.();
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
