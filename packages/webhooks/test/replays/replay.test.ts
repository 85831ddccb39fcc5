import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { Scope } from '@probity/core/internal';
import { DAY_MS } from '@probity/core/internal';
import type { DatabaseTarget } from '@probity/core/testing';
import type { ReceiverHandler } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { DELIVERY_QUEUE } from '../../src/index.ts';
import { REPLAY_WINDOW } from '../../src/replays/worker.ts';
import { serve } from '../api.ts';
import { createWorld, eventIdsOf, targets } from '../world.ts';

const SINCE = '2020-01-01T00:00:00Z';

/** A world with a webhook and its endpoints. */
async function start(
  t: TestContext,
  target: DatabaseTarget['name'] = 'memory',
  handler: ReceiverHandler = () => ({}),
) {
  const world = await createWorld(t, { target });
  const call = await serve(t, world);
  const { receiver, webhook } = await world.subscribe(handler);
  const path = `/webhooks/${webhook.id}`;
  const replay = async (body: object = { since: SINCE }) => {
    await world.clock.advance(1);
    return call('POST', `${path}/replay`, body);
  };
  const recover = async (body: object = { since: SINCE }) => {
    await world.clock.advance(1);
    return call('POST', `${path}/recover`, body);
  };
  const read = async (id: string) => (await call('GET', `${path}/replays/${id}`)).body.data;
  /** One step of the replay, and the attempts that are due. */
  const step = async () => {
    await world.replayer.runOnce();
    await world.deliverer.runOnce();
    await world.clock.advance(100);
  };
  /** Runs the replay to its end. */
  const finish = async (id: string) => {
    for (let steps = 0; steps < 300; steps += 1) {
      await step();
      const found = await read(id);
      if (found.status !== 'running') return found;
    }
    return assert.fail('the replay does not end');
  };
  const setActive = (active: boolean) =>
    world.webhooks.update(world.context, webhook.id, { active });
  return { world, call, receiver, webhook, path, replay, recover, read, step, finish, setActive };
}

const sorted = (ids: readonly string[]) => [...ids].sort();

for (const { name } of sampleTargets(targets)) {
  test(`${name}: a replay sends every event of the time again, with and without a delivery`, async (t) => {
    const { world, receiver, replay, finish, setActive, webhook } = await start(t, name);
    await world.publish(40);
    await world.passSeconds(0);
    await setActive(false);
    await world.publish(40);
    await setActive(true);
    await world.deliveries.sendTest(world.context, webhook.id);
    await world.passSeconds(0);
    const early = receiver.requests.length;
    assert.equal(early, 41);
    const { status, body } = await replay();
    assert.equal(status, 202);
    const { id, ...started } = body.data;
    const now = world.clock.now().toISOString();
    assert.deepEqual(started, {
      kind: 'all',
      status: 'running',
      total: null,
      done: 0,
      since: '2020-01-01T00:00:00.000Z',
      until: now,
      types: ['alert.created'],
      createdAt: now,
      endedAt: null,
    });
    assert.equal((await replay()).status, 409, 'one is running');
    const ended = await finish(id);
    assert.deepEqual([ended.status, ended.total, ended.done], ['completed', 80, 80]);
    assert.ok(ended.endedAt);
    const ids = eventIdsOf(receiver).slice(early);
    assert.deepEqual([ids.length, new Set(ids).size], [80, 80]);
    assert.equal((await replay()).status, 202, 'it has ended');
  });

  test(`${name}: of several calls at once one begins a replay`, async (t) => {
    const { world, call, path } = await start(t, name);
    await world.publish();
    await world.clock.advance(1);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', `${path}/replay`, { since: SINCE })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409, 409, 409, 409]);
  });

  test(`${name}: a replay makes at most a window of deliveries due, which its endpoint empties`, async (t) => {
    const { world, receiver, replay, read, finish } = await start(t, name);
    await world.publish(100);
    await world.passSeconds(0);
    const { id } = (await replay()).body.data;
    const due = () => world.database.kernel(world.database.reader).countJobs(DELIVERY_QUEUE);
    for (let round = 0; round < 5; round += 1) {
      await world.replayer.runOnce();
      assert.equal(await due(), REPLAY_WINDOW);
      await world.clock.advance(6_000);
    }
    assert.deepEqual([(await read(id)).total, (await read(id)).done], [100, REPLAY_WINDOW]);
    assert.equal(receiver.requests.length, 100);
    assert.equal((await finish(id)).status, 'completed');
    assert.equal(receiver.requests.length, 200);
  });

  test(`${name}: an event that happens during a replay is sent before the replayed ones that wait`, async (t) => {
    const { world, receiver, replay } = await start(t, name);
    await world.publish(32);
    await world.passSeconds(0);
    await replay();
    await world.replayer.runOnce();
    await world.clock.advance(1);
    const [event] = await world.publish();
    await world.deliverer.runOnce();
    const place = eventIdsOf(receiver)
      .slice(32)
      .indexOf(event?.id ?? '');
    assert.ok(place >= 0 && place < 10, `it was number ${place} of 33`);
  });

  test(`${name}: recovery sends failed and held deliveries again, and no others`, async (t) => {
    const { world, receiver, recover, finish, setActive } = await start(t, name);
    await world.publish(3);
    await world.passSeconds(0);
    receiver.respondWith(() => ({ status: 410 }));
    const failing = await world.publish(1);
    await world.passSeconds(0);
    receiver.respondWith(() => ({}));
    await setActive(true);
    const held = await world.publish(70);
    await setActive(false);
    await setActive(true);
    const early = receiver.requests.length;
    const { status, body } = await recover();
    assert.deepEqual([status, body.data.kind, body.data.types], [202, 'failed', null]);
    await world.replayer.runOnce();
    await world.clock.advance(1_000);
    assert.equal(receiver.requests.length, early, 'held deliveries are still stored as pending');
    await world.withdrawals.runOnce();
    const ended = await finish(body.data.id);
    assert.deepEqual([ended.status, ended.total, ended.done], ['completed', 71, 71]);
    const expected = [...failing, ...held].map(({ id }) => id);
    assert.deepEqual(sorted(eventIdsOf(receiver).slice(early)), sorted(expected));
  });

  test(`${name}: a replay begins where the former process ended`, async (t) => {
    const { world, receiver, replay, finish } = await start(t, name);
    const events = await world.publish(100);
    const { id } = (await replay()).body.data;
    await world.withdrawals.runOnce();
    await world.passSeconds(0);
    const early = receiver.requests.length;
    const reads = world.database.kernel(world.database.reader);
    await world.replayer.runOnce();
    // A second worker takes the job whose lease has run out, and finds what the first has stored.
    const now = world.clock.now();
    await world.clock.advance(100);
    const [job] = await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.claimJobs({
        queue: 'webhooks.replay',
        now: world.clock.now(),
        leaseUntil: new Date(now.getTime() + 15_000),
        leaseToken: 'killed',
        limit: 1,
        groupCapacity: () => 1,
      }),
    );
    assert.ok(job);
    await world.clock.advance(16_000);
    assert.equal((await finish(id)).done, 100);
    const ids = eventIdsOf(receiver).slice(early);
    assert.deepEqual(sorted(ids), sorted(events.map((event) => event.id)));
    assert.equal(await reads.countJobs('webhooks.replay'), 0);
  });

  test(`${name}: a canceled replay makes no further delivery due`, async (t) => {
    const { world, call, path, receiver, replay, read, step } = await start(t, name);
    await world.publish(100);
    await world.passSeconds(0);
    const { id } = (await replay()).body.data;
    await step();
    const cancel = () => call('POST', `${path}/replays/${id}/cancel`);
    const { status, body } = await cancel();
    assert.deepEqual([status, body.data.status, body.data.done], [200, 'canceled', REPLAY_WINDOW]);
    assert.ok(body.data.endedAt);
    for (let round = 0; round < 4; round += 1) await step();
    assert.equal(receiver.requests.length, 100 + REPLAY_WINDOW);
    assert.deepEqual(await read(id), body.data);
    assert.equal((await cancel()).status, 409);
  });

  test(`${name}: a replay stops when its webhook is turned off, also if it is turned on again`, async (t) => {
    const { world, receiver, replay, step, finish, setActive } = await start(t, name);
    await world.publish(100);
    await world.passSeconds(0);
    const { id } = (await replay()).body.data;
    await step();
    await setActive(false);
    await setActive(true);
    const ended = await finish(id);
    assert.deepEqual([ended.status, ended.done], ['stopped', REPLAY_WINDOW]);
    assert.equal(receiver.requests.length, 100 + REPLAY_WINDOW);
  });

  test(`${name}: a replay ends with its webhook, and with its organization`, async (t) => {
    const { world, receiver, replay, step, webhook, call, path } = await start(t, name);
    await world.publish(100);
    await world.passSeconds(0);
    const { id } = (await replay()).body.data;
    await step();
    await world.webhooks.remove(world.context, webhook.id);
    assert.equal((await call('GET', `${path}/replays/${id}`)).status, 404);
    for (let round = 0; round < 3; round += 1) await step();
    const reads = world.database.kernel(world.database.reader);
    assert.equal(await reads.countJobs('webhooks.replay'), 0);
    await world.withdrawals.runOnce();
    assert.equal(await world.storage.findReplay(webhook.id, id), null);
    assert.equal(receiver.requests.length, 100 + REPLAY_WINDOW);

    const second = await world.subscribe();
    await world.clock.advance(1);
    await world.replays.start(world.context, second.webhook.id, { since: new Date(0) });
    await step();
    await world.database.transaction((session) =>
      world.database.kernel(session).markTenantRemoved(world.organizationId, world.clock.now()),
    );
    for (let round = 0; round < 3; round += 1) await step();
    assert.equal(await reads.countJobs('webhooks.replay'), 0);
    assert.equal(second.receiver.requests.length, REPLAY_WINDOW);
  });

  test(`${name}: events that retention removes meanwhile are not sent, and the replay completes`, async (t) => {
    const { world, receiver, replay, step, finish } = await start(t, name);
    const events = await world.publish(100);
    await world.passSeconds(0);
    const { id } = (await replay()).body.data;
    await step();
    const sent = new Set(eventIdsOf(receiver).slice(100));
    const rest = events.map((event) => event.id).filter((each) => !sent.has(each));
    const removed = rest.slice(0, 40);
    await world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      await tx.deleteDeliveriesOf(removed, 100);
      assert.equal(await tx.deleteEvents(removed), 40);
    });
    const ended = await finish(id);
    assert.deepEqual([ended.status, ended.total, ended.done], ['completed', 100, 60]);
    assert.equal(receiver.requests.length, 160);
  });

  test(`${name}: an attempt in progress of a held delivery is waited for`, async (t) => {
    const { world, receiver, recover, read, step, finish, setActive } = await start(t, name);
    await world.publish(1);
    const now = world.clock.now();
    const [job] = await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.claimJobs({
        queue: DELIVERY_QUEUE,
        now,
        leaseUntil: new Date(now.getTime() + 15_000),
        leaseToken: 'other worker',
        limit: 1,
        groupCapacity: () => 1,
      }),
    );
    await setActive(false);
    await world.withdrawals.runOnce();
    await setActive(true);
    const { id } = (await recover()).body.data;
    for (let round = 0; round < 3; round += 1) await step();
    assert.deepEqual([(await read(id)).status, (await read(id)).done], ['running', 0]);
    await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.finishJobs([{ id: job?.id ?? '', leaseToken: 'other worker' }]),
    );
    assert.equal((await finish(id)).done, 1);
    assert.equal(receiver.requests.length, 1);
  });
}

test('a replay has the types given, and a delivery that is pending stays as it is', async (t) => {
  const { world, webhook, receiver, replay, finish } = await start(t);
  const events = ['alert.created', 'policy.violated'];
  await world.webhooks.update(world.context, webhook.id, { events });
  await world.publish(2);
  const [pending] = await world.deliveriesOf(webhook.id);
  const other = await replay({ since: SINCE, types: ['policy.violated', 'policy.violated'] });
  assert.deepEqual(other.body.data.types, ['policy.violated']);
  assert.deepEqual(await finish(other.body.data.id).then(({ total }) => total), 0);
  const pendingNow = await world.publish(1);
  const { id } = (await replay()).body.data;
  await world.replayer.runOnce();
  assert.equal(pendingNow.length, 1);
  const ended = await finish(id);
  assert.equal(ended.done, 3);
  const ids = eventIdsOf(receiver);
  assert.equal(ids.filter((each) => each === pendingNow[0]?.id).length, 1);
  assert.ok(pending);
});

test('a replay of an endpoint that fails is completed once each event was attempted', async (t) => {
  const { world, receiver, replay, finish } = await start(t);
  await world.publish(3);
  await world.passSeconds(0);
  receiver.respondWith(() => ({ status: 500 }));
  const ended = await finish((await replay()).body.data.id);
  assert.deepEqual([ended.status, ended.done], ['completed', 3]);
});

test('wrong times and types, a webhook that is off, and callers without permission are refused', async (t) => {
  const { world, call, path, webhook, replay, recover, setActive } = await start(t);
  await world.publish();
  const now = world.clock.now();
  const future = new Date(now.getTime() + DAY_MS).toISOString();
  const cases: Array<[object, string]> = [
    [{ since: 'yesterday' }, 'since'],
    [{}, 'since'],
    [{ since: future }, 'since'],
    [{ since: SINCE, until: SINCE }, 'since'],
    [{ since: SINCE, types: [] }, 'types'],
    [{ since: SINCE, types: ['alert.created', 'nothing.happened'] }, 'types.1'],
    [{ since: SINCE, types: ['alert.created', 'policy.violated'] }, 'types.1'],
  ];
  for (const [body, field] of cases) {
    const { status, body: answer } = await replay(body);
    assert.deepEqual([status, answer.error.details[0].field], [422, field], JSON.stringify(body));
  }
  assert.equal((await recover({ since: SINCE, types: ['alert.created'] })).status, 422);
  for (const token of ['editor', 'stranger']) {
    const expected = token === 'editor' ? 403 : 404;
    for (const action of ['replay', 'recover']) {
      const answer = await call('POST', `${path}/${action}`, { since: SINCE }, token);
      assert.equal(answer.status, expected);
    }
  }
  await setActive(false);
  assert.deepEqual([(await replay()).status, (await recover()).status], [409, 409]);
  await setActive(true);
  const { body } = await replay({ since: SINCE, until: future });
  assert.equal(body.data.until, world.clock.now().toISOString());
  const { id } = body.data;
  assert.equal((await call('GET', `${path}/replays`, undefined, 'stranger')).status, 404);
  const unknown = await call('GET', `${path}/replays/rpl_unknown`);
  assert.equal(unknown.status, 404);
  const canceling = await call('POST', `${path}/replays/${id}/cancel`, undefined, 'stranger');
  assert.equal(canceling.status, 404);
  await call('POST', `${path}/replays/${id}/cancel`);
  const page = { limit: 9, offset: 0 };
  const { items } = await world.replays.list(world.context, webhook.id, page);
  assert.deepEqual(
    items.map((each) => [each.id, each.status]),
    [[id, 'canceled']],
  );
  const reads = world.database.kernel(world.database.reader);
  const audit = await reads.listAuditEntries(world.organizationId, {}, page);
  const actions = audit.items.map(({ action }) => action).filter((each) => /replay/.test(each));
  assert.deepEqual(actions, ['webhook.replay_canceled', 'webhook.replayed']);
});

test('a token of a webhook replays only event types that the webhook lists', async (t) => {
  const { world, webhook } = await start(t);
  const { context } = world;
  const replayWith = async (scopes: Scope[], types?: readonly string[]) => {
    await world.clock.advance(1);
    const grant = { scopes, resourceIds: [webhook.id] };
    const caller = { ...context, principal: { ...context.principal, grant } };
    const request = { since: new Date(SINCE) };
    const { id } = await world.replays.start(caller, webhook.id, request, types);
    return world.replays.cancel(context, webhook.id, id);
  };
  const others = ['alert.created', 'policy.violated'];
  for (const scopes of [['webhooks:attempts'], ['webhooks:attempts', 'webhooks:endpoint']]) {
    await assert.rejects(replayWith(scopes as Scope[], others), { kind: 'validation_failed' });
  }
  for (const types of [undefined, ['alert.created']]) {
    const { types: sent } = await replayWith(['webhooks:attempts'], types);
    assert.deepEqual(sent, ['alert.created']);
  }
});
