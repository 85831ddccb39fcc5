import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import { resealAll } from '@probity/core/internal';
import type { DatabaseTarget } from '@probity/core/testing';
import { sampleTargets } from '@probity/test-support/combinations';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createWebhookDeliverer, sealedWebhookSecrets } from '../../src/index.ts';
import { createWebhookCapability } from '../../src/koa.ts';
import { serve } from '../api.ts';
import { createWorld, targets } from '../world.ts';

const DAY_S = 86_400;

async function start(t: TestContext, target: DatabaseTarget['name'] = 'memory') {
  const world = await createWorld(t, { target });
  const call = await serve(t, world);
  const { receiver, webhook, secret } = await world.subscribe();
  const path = `/webhooks/${webhook.id}/rotate-secret`;
  const rotate = async (body?: object) => {
    const answer = await call('POST', path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as { secret: string; overlapEndsAt: string | null };
  };
  /** The secrets, of those given, that a delivery of now is signed with, in their order. */
  const signers = async (secrets: readonly string[]): Promise<string[]> => {
    await world.publish();
    await world.deliverer.runOnce();
    const request = receiver.requests.at(-1);
    const [body, headers] = [request?.rawBody.toString() ?? '', request?.headers ?? {}];
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const id = String(headers['webhook-id']);
    const present = secrets.filter(
      (each) =>
        headers['x-service-signature'] ===
        `sha256=${createHmac('sha256', each).update(body).digest('hex')}`,
    );
    const signatures = String(headers['webhook-signature']).split(' ');
    const found = signatures.map((signature) =>
      secrets.find((each) => new StandardWebhook(each).sign(id, at, body) === signature),
    );
    assert.deepEqual(present, found.slice(0, 1), 'X-Service-Signature is made with the first');
    // Former secrets follow in any order.
    return found.map(String).sort((left, right) => secrets.indexOf(left) - secrets.indexOf(right));
  };
  return { world, call, webhook, secret, path, rotate, signers };
}

for (const { name } of sampleTargets(targets)) {
  test(`${name}: a new secret signs at once, and the former one beside it until the overlap ends`, async (t) => {
    const { world, call, webhook, secret, rotate, signers } = await start(t, name);
    const rotated = await rotate();
    assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(rotated.secret, secret);
    const ends = new Date(world.clock.now().getTime() + DAY_S * 1_000);
    assert.equal(rotated.overlapEndsAt, ends.toISOString());
    const { secret: _, overlapEndsAt: __, ...shown } = rotated;
    assert.deepEqual((await call('GET', `/webhooks/${webhook.id}`)).body.data, shown);
    const both = [rotated.secret, secret];
    assert.deepEqual(await signers(both), both);
    await world.clock.advance(DAY_S * 1_000 - 1);
    assert.deepEqual(await signers(both), both);
    await world.clock.advance(1);
    assert.deepEqual(await signers(both), [rotated.secret]);
  });
}

test('an overlap of 0 ends every former secret at once, a shorter one shortens those before', async (t) => {
  const { world, secret, rotate, signers } = await start(t);
  const { secret: second } = await rotate({ overlap_seconds: 7 * DAY_S });
  const { secret: third } = await rotate({ overlap_seconds: 60 });
  assert.deepEqual(await signers([third, second, secret]), [third, second, secret]);
  await world.clock.advance(60_000);
  assert.deepEqual(await signers([secret, second, third]), [third]);
  await rotate({ overlap_seconds: 60 });
  const last = await rotate({ overlap_seconds: 0 });
  assert.equal(last.overlapEndsAt, null);
  assert.deepEqual(await signers([secret, second, third, last.secret]), [last.secret]);
});

test('ten secrets sign at once, an eleventh is refused until one expires or none overlaps', async (t) => {
  const { world, call, secret, path, rotate, signers } = await start(t);
  const secrets = [secret];
  for (let count = 1; count < 10; count += 1) {
    secrets.unshift((await rotate({ overlap_seconds: 60 })).secret);
  }
  const refused = await call('POST', path, { overlap_seconds: 60 });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT']);
  assert.deepEqual(await signers(secrets), secrets, 'the refused call changed nothing');
  await world.clock.advance(60_000);
  await rotate({ overlap_seconds: 60 });
});

for (const seconds of [-1, 1.5, 7 * DAY_S + 1, '60']) {
  test(`rotating a secret refuses an overlap of ${JSON.stringify(seconds)} seconds by name`, async (t) => {
    const { call, path } = await start(t);
    const { status, body } = await call('POST', path, { overlap_seconds: seconds });
    assert.deepEqual([status, body.error.details[0].field], [422, 'overlap_seconds']);
  });
}

test('only admins of the organization rotate a secret, and the audit log masks it', async (t) => {
  const { world, call, webhook, path } = await start(t);
  const statusOf = async (token: string) => (await call('POST', path, {}, token)).status;
  assert.deepEqual([await statusOf('editor'), await statusOf('stranger')], [403, 404]);
  assert.equal(await statusOf('admin'), 200);
  const reads = world.database.kernel(world.database.reader);
  const filter = { action: 'webhook.secret_rotated' };
  const { items } = await reads.listAuditEntries(world.organizationId, filter, {
    limit: 9,
    offset: 0,
  });
  assert.deepEqual(
    items.map(({ target, after }) => [target.id, after?.secret]),
    [[webhook.id, '***']],
  );
});

for (const { name } of sampleTargets(targets)) {
  test(`${name}: former secrets sign after a key rotation, and retention removes expired ones`, async (t) => {
    const { world, secret, rotate, webhook } = await start(t, name);
    const { secret: second } = await rotate({ overlap_seconds: 60 });
    const { runtime, storage, clock, dialer } = world;
    const { secretBox: old } = runtime;
    assert.ok(old);
    const secrets = async () => {
      const found = await storage.findSecrets(webhook.id);
      return [found?.sealedSecret ?? '', ...(found?.former ?? []).map((each) => each.sealedSecret)];
    };
    const key = systemRandom(32);
    const opening = createSecretBox([key]);
    const both = {
      ...opening,
      open: (text: string, purpose: string) =>
        text.includes(`.${opening.keyId}.`) ? opening.open(text, purpose) : old.open(text, purpose),
    };
    const sealingKeys = {
      list: async () => [old.keyId, opening.keyId],
      registerComplete: async () => [],
      register: async () => undefined,
      retire: async () => undefined,
    };
    const values = [sealedWebhookSecrets(storage)];
    const { resealed } = await resealAll({ sealingKeys, secretBox: both, values, clock });
    assert.deepEqual(resealed, { webhook_secrets: 2 });
    for (const sealed of await secrets()) assert.ok(sealed.includes(`.${opening.keyId}.`));
    const deliverer = createWebhookDeliverer(
      { ...runtime, secretBox: opening },
      { storage, dialer },
    );
    await world.publish();
    await deliverer.runOnce();
    const [delivery] = await world.deliveriesOf(webhook.id);
    const sent = await storage.findDelivery(webhook.id, delivery?.id ?? '');
    assert.equal(delivery?.status, 'delivered');
    assert.equal(sent?.lastRequest?.headers['webhook-signature']?.split(' ').length, 2);
    assert.notEqual(secret, second);

    const capability = createWebhookCapability(runtime, {
      storage,
      dialer,
      targets: { allow: world.allow },
    });
    const rule = capability.retention?.find((each) => each.name === 'webhook_secrets');
    const removed = () => rule?.deleteBatch(clock.now(), 10);
    assert.equal(await removed(), 0);
    await clock.advance(60_001);
    assert.deepEqual([await removed(), await removed()], [1, 0]);
    assert.equal((await secrets()).length, 1);
  });
}

test('a call in code names an overlap that is wrong, and changes nothing', async (t) => {
  const { context, webhooks, storage, ...world } = await createWorld(t);
  const { webhook } = await world.subscribe();
  const before = await storage.findSecrets(webhook.id);
  for (const seconds of [Number.NaN, -1, 1.5, 604_801, Number.POSITIVE_INFINITY, '5' as never]) {
    const rotate = () => webhooks.rotateSecret(context, webhook.id, seconds);
    await assert.rejects(rotate, { kind: 'validation_failed', message: /^overlapSeconds: / });
  }
  assert.deepEqual(await storage.findSecrets(webhook.id), before);
});
