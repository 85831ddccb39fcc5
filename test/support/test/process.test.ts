import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Program } from '../src/process.ts';
import { spawnProgram } from '../src/process.ts';
import type { TestLifetime } from '../src/temporary-folder.ts';
import { until } from '../src/until.ts';
import { isRunning } from './running.ts';

function node(source: string, test: TestLifetime, env = {}): Promise<Program> {
  return spawnProgram(process.execPath, ['-e', source], { test, env });
}

const stayAlive = 'setInterval(() => {}, 1000);';

test('waitForLine finds a JSON line before and after it is printed, among other text', async (t) => {
  const program = await node(
    `console.log('starting'); console.log('{"message":"listening","port":1}'); ${stayAlive}`,
    t,
  );
  const isListening = (line: { message?: unknown }): boolean => line.message === 'listening';
  assert.equal((await program.waitForLine(isListening)).port, 1);
  assert.equal((await program.waitForLine(isListening)).port, 1);
  assert.match(program.stdout, /^starting\n/);
});

test('waiting for a line fails with the output when the program ends first', async (t) => {
  const program = await node(`console.error('no database'); process.exit(3)`, t);
  await assert.rejects(
    program.waitForLine(() => true),
    /ended with 3[\s\S]*no database/,
  );
});

test('waiting for a line fails with the output when the time is over', async (t) => {
  const program = await node(`console.log('{"n":1}'); ${stayAlive}`, t);
  await program.waitForLine((line) => line.n === 1);
  await assert.rejects(
    program.waitForLine((line) => line.n === 2, 20),
    /within 20 ms[\s\S]*"n":1/,
  );
});

test('terminate gives the exit code of a program that drains', async (t) => {
  const program = await node(
    `process.on('SIGTERM', () => process.exit(7)); console.log('{}'); ${stayAlive}`,
    t,
  );
  await program.waitForLine(() => true);
  assert.equal(await program.terminate(), 7);
  assert.equal(await program.terminate(), 7);
});

test('a program that ignores SIGTERM is killed and reported', async (t) => {
  const program = await node(`process.on('SIGTERM', () => {}); console.log('{}'); ${stayAlive}`, t);
  await program.waitForLine(() => true);
  await assert.rejects(program.terminate(50), /50 ms after SIGTERM/);
  assert.equal(await program.exited, null);
});

test('kill9 also ends what the program started', async (t) => {
  const program = await node(
    `const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' });
     console.log(JSON.stringify({ child: child.pid }));`,
    t,
  );
  const { child } = await program.waitForLine((line) => 'child' in line);
  await program.kill9();
  await program.kill9();
  await until(() => !isRunning(Number(child)), 'its child has ended');
});

test('a program gets the settings of its test and not those of the machine', async (t) => {
  process.env.PROBITY_LEAK = 'from outside';
  t.after(() => {
    delete process.env.PROBITY_LEAK;
  });
  const program = await node('console.log(JSON.stringify(process.env))', t, { PROBITY_PORT: '0' });
  const env = await program.waitForLine(() => true);
  assert.equal(env.PROBITY_LEAK, undefined);
  assert.equal(env.PROBITY_PORT, '0');
  assert.equal(env.PATH, process.env.PATH);
});

test('starting a program that does not exist fails', async () => {
  // EACCES when a folder on PATH is not readable.
  await assert.rejects(spawnProgram('no-such-program-here', []), /ENOENT|EACCES/);
});
