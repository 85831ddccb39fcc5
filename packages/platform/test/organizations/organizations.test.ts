import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger } from '@probity/core';
import { finishRemovals, testContext } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createApiKeys } from '../../src/credentials/api-keys.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createTestOrganization } from '../../src/testing/fixtures.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { sqlTargets, targets, testRuntime } from '../support.ts';

async function world(t: TestLifetime, target: PlatformTarget) {
  const opened = await target.open();
  t.after(opened.dispose);
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const clock = createTestClock();
  const { storage, database } = opened;
  const runtime = testRuntime({ database, clock, logger });
  const created = await createTestOrganization(opened);
  return {
    opened,
    lines,
    context: testContext(created),
    id: created.organizationId,
    organizations: createOrganizations(runtime, { storage }),
    apiKeys: createApiKeys(runtime, { storage }),
  };
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: organizations`, () => {
    test('deleting an organization logs a line that names the actor', async (t) => {
      const { organizations, context, id, lines } = await world(t, target);
      await assert.rejects(organizations.delete(context, id, 'wrong'), {
        kind: 'validation_failed',
      });
      assert.deepEqual(lines, []);
      const { slug } = await organizations.get(context, id);
      await organizations.delete(context, id, slug);
      const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
      assert.equal(line?.message, 'organization deleted');
      assert.equal(line?.organization_id, id);
      assert.equal(line?.member_id, context.principal.memberId);
      assert.equal(line?.address, '192.0.2.1');
      assert.equal(line?.request_id, context.requestId);
    });

    test('a caller cannot find any organization but its own', async (t) => {
      const { organizations, context, opened } = await world(t, target);
      const other = (await createTestOrganization(opened)).organizationId;
      const missing = { kind: 'not_found' };
      await assert.rejects(organizations.get(context, other), missing);
      await assert.rejects(organizations.update(context, other, { name: 'Mine' }), missing);
      await assert.rejects(organizations.delete(context, other, 'test'), missing);
    });
  });
}

for (const target of sqlTargets) {
  test(`${target.name}: a write concurrent with the deletion of its organization is deleted or refused`, async (t) => {
    const { organizations, apiKeys, context, id, opened } = await world(t, target);
    const { slug } = await organizations.get(context, id);
    const create = () => apiKeys.create(context, { name: 'Late' });
    const rename = () => organizations.update(context, id, { name: 'Late' });
    const racing = [
      ...Array.from({ length: 10 }, create),
      ...Array.from({ length: 5 }, rename),
      organizations.delete(context, id, slug),
      ...Array.from({ length: 10 }, create),
      ...Array.from({ length: 5 }, rename),
    ];
    for (const outcome of await Promise.allSettled(racing)) {
      if (outcome.status === 'fulfilled') continue;
      assert.ok(['conflict', 'not_found'].includes(outcome.reason.kind), String(outcome.reason));
    }
    assert.equal(await opened.storage.findOrganization(id), null);
    await finishRemovals(opened.database);
    const page = { limit: 1, offset: 0 };
    assert.equal((await opened.storage.listApiKeys(id, page)).total, 0);
  });
}
