import assert from 'node:assert/strict';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, LEAK, serve } from './support.ts';

const GATEWAY = fileURLToPath(
  new URL('../../../packages/gateway/bin/probity-gateway.js', import.meta.url),
);
const CONFIGURATION =
  'server: {host: 127.0.0.1, port: 0}\n' +
  'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n' +
  'rate_limiting: {enabled: false}\n';
const SCANS = 30;

type Environment = Readonly<Record<string, string>>;

async function startGateway(test: TestLifetime, file: string, env: Environment) {
  const program = await spawnProgram(process.execPath, [GATEWAY, '--config', file], { test, env });
  const line = await program.waitForLine(({ message }) => message === 'listening');
  return { program, scanAt: `${String(line.url)}/api/v1/governance/scan` };
}

async function createKey(test: TestLifetime, file: string): Promise<string> {
  const args = [GATEWAY, 'key', 'create', '--config', file];
  const program = await spawnProgram(process.execPath, args, { test });
  assert.equal(await program.exited, 0);
  return program.stdout.trim();
}

/** Makes the minutes that are counted end, rather than wait for it. */
function endMinutes(folder: string): void {
  for (const name of readdirSync(folder)) {
    const earlier = name.replace(/\d+/, (minute) => String(Number(minute) - 2));
    renameSync(join(folder, name), join(folder, earlier));
  }
}

describe('a gateway with the platform', { concurrency: true }, () => {
  for (const database of sampleTargets(emptyDatabases)) {
    it(`its scans count once although it is killed, and policies and knowledge hold in it, on ${database.name}`, async (t) => {
      const location = await database.create(t);
      const { api_key: key, organization_id: id } = await bootstrap(location);
      const server = await serve(t, location);
      const folder = temporaryFolder(t).path;
      const file = join(folder, 'gateway.yaml');
      writeFileSync(file, CONFIGURATION);
      const gatewayKey = await createKey(t, file);
      const env = { PROBITY_PLATFORM_URL: server.url, PROBITY_PLATFORM_KEY: key };
      const rules = [{ stage: 'pii_scanner', types: ['email'], action: 'block' }];
      const path = `${server.url}/api/v1/governance/policies`;
      const policy = await call(path, key, 'POST', { name: 'No addresses', rules });
      assert.equal(policy.status, 201);
      const source = 'https://example.com/tower';
      const nugget = { claim: 'The Eiffel Tower was completed in 1889.', source_url: source };
      const added = await call(`${server.url}/api/v1/knowledge/nuggets`, key, 'POST', nugget);
      assert.equal(added.status, 201);

      const killed = await startGateway(t, file, env);
      const scan = (scanAt: string, response: string) =>
        call(scanAt, gatewayKey, 'POST', { response });
      const refused = await scan(killed.scanAt, 'Write to bob@example.com.');
      assert.equal(refused.status, 403);
      assert.equal(refused.body.governance.policy_id, policy.body.data.id);
      const wrong = await scan(
        killed.scanAt,
        'The Eiffel Tower was finally completed around 1925.',
      );
      assert.ok(JSON.stringify(wrong.body).includes('contradicted'));
      assert.equal((await scan(killed.scanAt, LEAK)).status, 403);
      for (let count = 3; count < SCANS; count += 1) await scan(killed.scanAt, 'Good morning.');
      await killed.program.kill9();
      endMinutes(join(folder, 'gateway-state', 'usage'));

      const next = await startGateway(t, file, env);
      const usage = async () =>
        (await call(`${server.url}/v1/organizations/${id}/usage`, key)).body;
      assert.equal((await usage()).gateway_scans.used, SCANS);
      assert.equal((await usage()).gateway_instances.used, 1);
      assert.equal(await next.program.terminate(), 0);
      const last = await startGateway(t, file, env);
      assert.equal((await usage()).gateway_scans.used, SCANS);
      assert.equal(await last.program.terminate(), 0);
    });
  }
});
