import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnProgram, temporaryFolder } from '@probity/test-support';

const EXAMPLE = fileURLToPath(new URL('../../', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const SERVER = join(dirname(resolve('@probity/standalone/package.json')), 'bin/probity-server.js');
const COMMAND = join(dirname(resolve('@probity/cli/package.json')), 'bin/probity.js');
/** Where `npm test` has installed promptfoo; it is too large for a dependency. */
const TOOL = process.env.TEST_PROMPTFOO_FOLDER;

async function startServer(t: TestContext, folder: string) {
  const database = ['--database', `sqlite:${folder}/probity.db`];
  const env = { PROBITY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
  const options = { test: t, env: { ...env, PROBITY_METRICS_PORT: 'off' } };
  const owner = ['--organization', 'Acme', '--owner-email', 'ann@acme.example', '--json'];
  const bootstrap = [SERVER, 'bootstrap', ...owner, ...database];
  const created = await spawnProgram(process.execPath, bootstrap, options);
  assert.equal(await created.exited, 0, created.stderr);
  const serve = [SERVER, 'serve', '--port', '0', ...database];
  const server = await spawnProgram(process.execPath, serve, options);
  const { url } = await server.waitForLine(({ message }) => message === 'listening');
  return { url: String(url), key: JSON.parse(created.stdout).api_key as string };
}

async function startJob(t: TestContext) {
  const { path: folder } = temporaryFolder(t, 'disk');
  const { url, key } = await startServer(t, folder);
  // On the path as an installation makes it.
  symlinkSync(COMMAND, join(folder, 'probity'));
  const paths = [folder, join(TOOL ?? '', 'node_modules/.bin')];
  const env = {
    ...{ PROBITY_BASE_URL: url, PROBITY_API_KEY: key, GIT_COMMIT: 'abc123' },
    ...{ HOME: folder, PROMPTFOO_CONFIG_DIR: join(folder, 'promptfoo') },
    ...{ PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1' },
    RESULTS_FILE: join(folder, 'results.json'),
    PATH: [...paths, process.env.PATH].join(delimiter),
  };
  const run = async (command: string, ...args: string[]) => {
    const program = await spawnProgram(command, args, { test: t, env, cwd: folder });
    const code = await program.exited;
    return { code, stdout: program.stdout, stderr: program.stderr };
  };
  return { url, key, run, results: env.RESULTS_FILE };
}

describe('the job', () => {
  it('imports what the real tool writes, and fails afterwards because a test failed', async (t) => {
    if (TOOL === undefined) return t.skip('npm could not fetch promptfoo: the job was NOT run');
    const { url, key, run, results } = await startJob(t);
    const job = () => run('sh', join(EXAMPLE, 'evidence.sh'));
    const first = await job();
    assert.equal(first.code, 100, `${first.stdout}\n${first.stderr}`);
    assert.match(first.stdout, /3 results, 2 evidence records created, 0 skipped/);

    const again = await run('probity', 'import', results, '--json');
    assert.equal(again.code, 0, again.stderr);
    const { evidenceCreated, evidenceSkipped } = JSON.parse(again.stdout);
    assert.deepEqual([evidenceCreated, evidenceSkipped], [0, 2]);

    const second = await job();
    assert.match(second.stdout, /3 results, 2 evidence records created, 0 skipped/);

    const listed = await run('probity', 'evidence', 'list', '--label', 'commit=abc123');
    const records = listed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(records.length, 4);
    assert.ok(
      records.some(({ links }) => links.length > 0),
      listed.stdout,
    );
    const headers = { authorization: `Bearer ${key}` };
    const stored = await fetch(`${url}/api/v1/compliance/evidence`, { headers });
    const text = await stored.text();
    for (const raw of ['ann@customer.example', 'Answer the customer', 'Describe the product']) {
      assert.ok(readFileSync(results, 'utf8').includes(raw), raw);
      assert.ok(!text.includes(raw), raw);
    }
    const verified = await run('probity', 'evidence', 'verify');
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /^intact {2}4 records of 4 nodes verified/);
  });
});
