import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '@probity/core';
import { ProbityError, verifyAuditChain } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

const NOBODY: Pick<AuditEntry, 'address' | 'requestId'> = { address: null, requestId: null };

/** The audit entries about webhooks, oldest first. */
async function entriesOf({ database, organizationId }: World): Promise<AuditEntry[]> {
  const reads = database.kernel(database.reader);
  const entries = await reads.readAuditChain(organizationId, 0, 1_000);
  assert.equal((await verifyAuditChain(database, organizationId)).fault, null);
  return entries.filter(({ action }) => action.startsWith('webhook.'));
}

const factsOf = ({ action, target, before, after }: AuditEntry) => [
  action,
  target.id,
  before,
  after,
];

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: creating, changing and deleting a webhook are audited with the changed fields`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhooks, context } = world;
    const url = 'https://public.example/hook';
    const created = await webhooks.create(context, {
      url,
      events: ['alert.created', 'alert.created', 'scan.completed'],
    });
    const { id } = created.webhook;
    await webhooks.update(context, id, { events: ['alert.created'], active: false, url });
    await webhooks.remove(context, id);
    const entries = await entriesOf(world);
    const both = ['alert.created', 'scan.completed'];
    assert.deepEqual(entries.map(factsOf), [
      [
        'webhook.created',
        id,
        null,
        {
          url,
          events: both,
          format: 'standard',
          active: true,
          rateLimit: null,
          ordered: false,
          secret: '***',
        },
      ],
      [
        'webhook.updated',
        id,
        { events: both, active: true },
        { events: ['alert.created'], active: false },
      ],
      [
        'webhook.deleted',
        id,
        {
          url,
          events: ['alert.created'],
          format: 'standard',
          active: false,
          rateLimit: null,
          ordered: false,
        },
        null,
      ],
    ]);
    const { principal, requestId, address } = context;
    for (const entry of entries) {
      const actor = { type: 'member', id: principal.memberId, credentialId: principal.keyId };
      assert.deepEqual([entry.actor, entry.requestId, entry.address], [actor, requestId, address]);
      assert.deepEqual(entry.createdAt, world.clock.now());
    }
    assert.ok(!JSON.stringify(entries).includes(created.secret.slice('whsec_'.length)));
  });

  test(`${target}: an update of a webhook that changes nothing, or is rejected, is not audited`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhooks, context } = world;
    const url = 'https://public.example/hook';
    const { webhook } = await webhooks.create(context, { url, events: ['alert.created'] });
    await webhooks.update(context, webhook.id, { active: true, url, events: ['alert.created'] });
    const refusals = [
      () => webhooks.update(context, webhook.id, { url: 'https://private.example/' }),
      () => webhooks.update(context, 'whk_none', { active: false }),
      () => webhooks.remove(context, 'whk_none'),
      () => webhooks.create(context, { url: 'http://public.example/', events: [] }),
    ];
    for (const refused of refusals) await assert.rejects(refused, ProbityError);
    assert.equal((await entriesOf(world)).length, 1);
  });

  test(`${target}: disabling a failing webhook is audited once, with the system as actor`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhook } = await world.subscribe(() => ({ status: 500 }));
    await world.publish(3);
    await world.passSeconds(20);
    const [, ...disabled] = await entriesOf(world);
    assert.equal(disabled.length, 1);
    const [entry] = disabled as [AuditEntry];
    assert.deepEqual(
      { address: entry.address, requestId: entry.requestId, actor: entry.actor },
      { ...NOBODY, actor: { type: 'system', id: 'webhook-deliverer', credentialId: null } },
    );
    const stored = await world.storage.findWebhook(world.organizationId, webhook.id);
    assert.deepEqual(factsOf(entry), [
      'webhook.disabled',
      webhook.id,
      { active: true },
      { active: false, reason: stored?.disabledReason },
    ]);
    assert.deepEqual(entry.createdAt, stored?.disabledAt);
  });

  test(`${target}: parallel updates of a webhook each audit the values before and after`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhooks, context } = world;
    const url = 'https://public.example/0';
    const { webhook } = await webhooks.create(context, { url, events: ['alert.created'] });
    const updates = Array.from({ length: 10 }, (_, index) =>
      webhooks.update(context, webhook.id, { url: `https://public.example/${index + 1}` }),
    );
    await Promise.all(updates);
    const [, ...updated] = await entriesOf(world);
    assert.equal(updated.length, 10);
    let last: unknown = url;
    for (const { before, after } of updated) {
      assert.equal(before?.url, last);
      last = after?.url;
    }
  });
}
