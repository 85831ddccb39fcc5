import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { countRows } from './database-content.ts';
import { EVIDENCE_BODIES } from './evidence-recipes.ts';
import type { Operation } from './furnished.ts';
import {
  canSucceed,
  credentialOf,
  fill,
  furnish,
  operationsOf,
  parametersOf,
} from './furnished.ts';
import { GOVERNANCE_BODIES } from './governance-recipes.ts';
import { INTEGRATION_BODIES, integrationEnvironment } from './integration-recipes.ts';
import { KNOWLEDGE_BODIES } from './knowledge-recipes.ts';
import { SCIM_BODIES } from './scim-recipes.ts';
import { SHIELD_BODIES } from './shield-recipes.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

/** Valid bodies, so that only the identifier can be refused. */
const BODIES: Readonly<Record<string, unknown>> = {
  changeMemberRole: { role: 'viewer' },
  updateWebhook: { active: false },
  replayWebhook: { since: '2026-01-01T00:00:00Z' },
  recoverWebhook: { since: '2026-01-01T00:00:00Z' },
  ...EVIDENCE_BODIES,
  ...GOVERNANCE_BODIES,
  ...KNOWLEDGE_BODIES,
  ...INTEGRATION_BODIES,
  ...SCIM_BODIES,
  ...SHIELD_BODIES,
};

/** Two furnished organizations on one server. */
async function createWorld(t: TestContext, location: string) {
  const owners = [await bootstrap(location), await bootstrap(location)] as const;
  // No background work, so that only the calls write.
  const env = await integrationEnvironment();
  const { url } = await serve(t, location, { args: ['--role', 'api'], env });
  const [victim, intruder] = owners;
  const victims = await furnish(url, victim);
  const own = await furnish(url, intruder);
  const keyOf = (operation: Operation) => credentialOf(operation, intruder, own);
  return { url, keyOf, victimsKey: victim.api_key, victims, own };
}

/** The length of the audit log and the row counts, which every change would alter. */
async function stateOf(location: string, url: string, organizationId: string, key: string) {
  const log = await call(`${url}/v1/organizations/${organizationId}/audit-log?limit=1`, key);
  const counts = await countRows(location);
  // The intruder's identity provider has sent requests.
  counts.delete('probity_scim_requests');
  return [log.body.total, [...counts]];
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`${database.name}: what belongs to another organization`, () => {
    it('resources of another organization are 404 for every operation', async (t) => {
      const location = await database.create(t);
      const { url, keyOf, victimsKey, victims, own } = await createWorld(t, location);
      const state = () => stateOf(location, url, victims.org_id ?? '', victimsKey);
      const before = await state();
      let tried = 0;
      for (const operation of await operationsOf(url)) {
        const { method, path, operationId, security } = operation;
        const names = parametersOf(path);
        if (security.length === 0 || names.length === 0) continue;
        const mixed = { ...victims, org_id: own.org_id ?? '' };
        const foreign = names.every((name) => name === 'org_id') ? [victims] : [victims, mixed];
        for (const identifiers of foreign) {
          const target = url + fill(path, identifiers);
          const credential = keyOf(operation);
          const answer = await call(target, credential, method.toUpperCase(), BODIES[operationId]);
          assert.equal(answer.status, 404, `${operationId}: ${JSON.stringify(answer.body)}`);
          tried += 1;
        }
      }
      assert.ok(tried > 30, `${tried}`);
      assert.deepEqual(await state(), before);
    });

    it('responses contain no ids of another organization', async (t) => {
      const location = await database.create(t);
      const { url, keyOf, victims, own } = await createWorld(t, location);
      const operations = await operationsOf(url);
      const reads = operations.filter(
        (each) => each.method === 'get' && !/pdf/.test(each.path) && canSucceed(each),
      );
      assert.ok(reads.length > 15);
      for (const operation of reads) {
        const { path, operationId } = operation;
        const answer = await call(url + fill(path, own), keyOf(operation));
        const text = JSON.stringify(answer.body);
        assert.equal(answer.status, 200, `${operationId}: ${text}`);
        for (const id of Object.values(victims)) assert.ok(!text.includes(id), operationId);
      }
    });
  });
}
