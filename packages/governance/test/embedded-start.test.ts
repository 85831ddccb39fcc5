import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { contextOf, createProbity } from '@probity/core';
import { governance } from '../src/index.ts';

interface Started {
  /** Weight files read by `start()`, and by the scan after it. */
  readonly atStart: readonly string[];
  readonly later: number;
  readonly error: string | null;
  readonly verdict: string | null;
}

/** Starts an application in a new process, which may lack a weight file. */
function startApplication(missing: string): Started {
  const code = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const read = [];
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...rest) => {
      const name = String(path).split('/').pop();
      if (String(path).includes('/models/')) read.push(name);
      if (name !== ${JSON.stringify(missing)}) return readFileSync(path, ...rest);
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    };
    syncBuiltinESMExports();
    const { contextOf, createProbity } = await import('@probity/core');
    const { governance } = await import('@probity/governance');
    const probity = createProbity({ database: 'memory', authenticate: () => null, capabilities: [governance()] });
    await probity.migrate();
    const error = await probity.start().then(() => null, ({ message }) => message);
    const atStart = [...new Set(read)];
    let verdict = null;
    if (error === null) {
      const context = contextOf({ organizationId: 'acme' });
      ({ scan: { verdict } } = await probity.services.governance.scan(context, { response: 'Hello there.' }));
    }
    const later = new Set(read).size - atStart.length;
    await probity.stop();
    console.log(JSON.stringify({ atStart, later, error, verdict }));`;
  const args = ['--input-type=module', '-e', code];
  const cwd = new URL('.', import.meta.url);
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Started;
}

test('governance() without stages flags a secret and shows the four default scores', async () => {
  const probity = createProbity({
    database: 'memory',
    authenticate: () => null,
    capabilities: [governance()],
  });
  await probity.migrate();
  const context = contextOf({ organizationId: 'acme' });
  // Put together here, so that no scanner of repositories takes it for a real one.
  const response = `Use ${['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')}.`;
  const { scan, alert } = await probity.services.governance.scan(context, { response });
  assert.deepEqual([scan.verdict, alert], ['flagged', null]);
  assert.deepEqual(
    scan.findings.map(({ stage, action }) => [stage, action]),
    [['secrets_scanner', 'flag']],
  );
  assert.deepEqual(Object.keys(scan.scores), ['pii', 'injection', 'toxicity', 'hallucination']);
  await probity.stop();
});

test('start() loads the weights, so that the first scan reads no file', () => {
  const { atStart, later, error, verdict } = startApplication('none');
  assert.equal(error, null);
  assert.ok(atStart.includes('injection.bin') && atStart.includes('toxicity.bin'), atStart.join());
  assert.deepEqual([later, verdict], [0, 'allowed']);
});

for (const missing of ['injection.bin', 'toxicity.bin', 'words.bin']) {
  test(`start() fails with the name of the missing file ${missing}`, () => {
    const { error, verdict } = startApplication(missing);
    assert.match(error ?? '', new RegExp(`models/${missing} is missing from @probity/pipeline`));
    assert.equal(verdict, null);
  });
}
