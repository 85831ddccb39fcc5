import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createBatch } from '../../src/logging/output.ts';

test('log lines are written in batches and in order after their delay', () => {
  const written: string[] = [];
  const timers: Array<() => void> = [];
  const output = createBatch<string>(
    (lines) => written.push(lines.join('')),
    (timer) => timers.push(timer),
  );
  output.add('a\n');
  output.add('b\n');
  assert.deepEqual([written, timers.length], [[], 1]);
  timers.shift()?.();
  output.add('c\n');
  output.flush();
  timers.shift()?.();
  assert.deepEqual(written, ['a\nb\n', 'c\n']);
});

for (const [name, ending] of [
  ['process.exit', 'process.exit(3)'],
  ['an error that nobody caught', 'throw new Error("end")'],
] as const) {
  test(`a process that ends by ${name} has written its last line`, () => {
    const logger = new URL('../../src/logging/logger.js', import.meta.url).href;
    const program = `import { createLogger } from '${logger}'; createLogger().info('last'); ${ending};`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.notEqual(status, 0);
    assert.match(stdout, /"message":"last"\}\n$/);
  });
}

test('log lines keep their order, and the field values at the time of the call', () => {
  const logger = new URL('../../src/logging/logger.js', import.meta.url).href;
  const program = `
    import { createLogger } from '${logger}';
    const logger = createLogger();
    const list = [1];
    logger.info('first', { n: 1 });
    logger.info('second', { list });
    list.push(2);
    logger.info('third', { token: 'hunter2' });`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    records.map(({ message, n, list, token }) => ({ message, n, list, token })),
    [
      { message: 'first', n: 1, list: undefined, token: undefined },
      { message: 'second', n: undefined, list: [1], token: undefined },
      { message: 'third', n: undefined, list: undefined, token: '[redacted]' },
    ],
  );
});
