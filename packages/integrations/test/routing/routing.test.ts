import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Severity } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { MICROSOFT_CHANNEL, MICROSOFT_CHAT } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { World } from '../world.ts';
import { createWorld, faultsOf, targets } from '../world.ts';

async function routeIncidents(world: World, severities: Severity[] = ['high', 'critical']) {
  const { id } = await world.connectItsm();
  const routing = { severities, category: 'software', subcategory: 'ai' };
  await world.services.integrations.update(world.context, id, { routing });
  return id;
}

async function routeMessages(world: World, place: object = MICROSOFT_CHANNEL) {
  const { id } = await world.connectChatops();
  const routing = { severities: ['critical'] as Severity[], ...place };
  await world.services.integrations.update(world.context, id, { routing });
  return id;
}

const actionsOf = async (world: World) => (await world.audit()).map(({ action }) => action);

for (const target of sampleTargets(targets)) {
  test(`${target.name}: alerts become incidents and messages by their severity, once each`, async (t) => {
    const world = await createWorld(t, { target });
    const itsmId = await routeIncidents(world);
    const chatId = await routeMessages(world);
    await world.alert({ severity: 'medium', alertId: 'alr_medium' });
    await world.alert({ severity: 'high', alertId: 'alr_high' });
    await world.alert({ severity: 'critical', alertId: 'alr_critical', message: 'An SSN' });
    await world.route();
    await world.route();
    const { incidents } = world.serviceNow;
    assert.deepEqual(incidents.map(({ correlation_id }) => correlation_id).sort(), [
      'probity-alr_critical',
      'probity-alr_high',
    ]);
    const critical = incidents.find(({ impact }) => impact === '1');
    assert.deepEqual(
      { ...critical, sys_id: '', number: '' },
      {
        ...{ short_description: 'Probity alert (critical): An SSN', category: 'software' },
        description:
          'An SSN\n\nSeverity: critical\nType: pii\nAlert: alr_critical\nTime: 2026-01-01T00:00:00.000Z',
        ...{ subcategory: 'ai', impact: '1', urgency: '1', priority: '1', state: '1' },
        ...{ correlation_id: 'probity-alr_critical', correlation_display: 'Probity' },
        ...{ sys_id: '', number: '', sys_created_on: '2026-01-01 00:00:00' },
      },
    );
    const [message, ...others] = world.microsoft.messages;
    assert.ok(message && others.length === 0);
    const { team_id, channel_id } = MICROSOFT_CHANNEL;
    assert.equal(message.place, `${team_id}/${channel_id}`);
    assert.match(JSON.stringify(message.card), /An SSN.*alr_critical/);
    const routed = (await world.audit()).filter(({ action }) => action === 'alert.routed');
    assert.deepEqual(
      routed.map(({ target, actor, after }) => [target.id, actor.id, after?.integrationId]).sort(),
      [
        ['alr_critical', 'alert-router', itsmId],
        ['alr_critical', 'alert-router', chatId],
        ['alr_high', 'alert-router', itsmId],
      ].sort(),
    );
    assert.deepEqual(faultsOf(world), []);
  });

  test(`${target.name}: an incident whose creation was not stored is found by the next attempt`, async (t) => {
    const world = await createWorld(t, { target });
    await routeIncidents(world);
    await world.alert({ alertId: 'alr_1' });
    await world.relay.runOnce();
    // The process is killed between the answer and the end of the job: nothing of the attempt is stored.
    const dying = world.createProcess(
      world.database,
      Object.assign(Object.create(world.storage), {
        transaction: () => Promise.reject(new Error('killed')),
      }),
      world.dialer,
    );
    await dying.worker.runOnce();
    assert.equal(world.serviceNow.incidents.length, 1);
    assert.ok(!(await actionsOf(world)).includes('alert.routed'));
    await world.clock.advance(60_000);
    await world.worker.runOnce();
    assert.equal(world.serviceNow.incidents.length, 1);
    const last = (await world.audit()).at(-1);
    const [incident] = world.serviceNow.incidents;
    assert.equal(last?.action, 'alert.routed');
    assert.equal(last.after?.incidentId, incident?.sys_id);
  });
}

test('an incident whose answer was lost is not created a second time', async (t) => {
  const world = await createWorld(t);
  await routeIncidents(world);
  world.serviceNow.failNext('create', 'drop_after');
  await world.alert();
  await world.route();
  assert.deepEqual([world.serviceNow.count('create'), world.serviceNow.incidents.length], [1, 1]);
  await world.clock.advance(10_000);
  await world.route();
  assert.deepEqual([world.serviceNow.count('create'), world.serviceNow.incidents.length], [1, 1]);
  assert.ok((await actionsOf(world)).includes('alert.routed'));
});

test('an alert waits while the system does not answer, is limited, or refuses the credentials', async (t) => {
  const world = await createWorld(t, { retries: 0 });
  const id = await routeIncidents(world);
  const { serviceNow, clock } = world;
  const limited = { status: 429, headers: { 'retry-after': '600' } };
  serviceNow.failNext('create', { status: 500 }, limited);
  await world.alert();
  await world.route();
  await clock.advance(5_000);
  await world.route();
  assert.equal(serviceNow.count('create'), 2);
  await clock.advance(590_000);
  await world.route();
  assert.equal(serviceNow.count('create'), 2, 'not before the time that the system names');
  serviceNow.clients.set('probity', 'changed');
  serviceNow.revokeTokens();
  await clock.advance(10_000);
  await world.route();
  const status = async () => (await world.services.integrations.get(world.context, id)).status;
  assert.equal(await status(), 'failing');
  serviceNow.clients.set('probity', 'renewed');
  await world.services.integrations.update(world.context, id, { client_secret: 'renewed' });
  assert.equal(await status(), 'connected');
  await clock.advance(60_000);
  await world.route();
  assert.equal(serviceNow.incidents.length, 1);
});

test('what the system rejects is kept with the failed jobs', async (t) => {
  const world = await createWorld(t);
  const id = await routeIncidents(world);
  const body = JSON.stringify({ error: { message: 'Invalid category' } });
  world.serviceNow.failNext('create', { status: 400, body });
  await world.alert();
  await world.route();
  await world.clock.advance(24 * 3_600_000);
  await world.route();
  assert.equal(world.serviceNow.count('create'), 1);
  const reads = world.database.kernel(world.database.reader);
  const { items } = await reads.listFailedJobs({ limit: 5, offset: 0 });
  assert.match(items[0]?.lastError ?? '', /Invalid category/);
  const { status } = await world.services.integrations.get(world.context, id);
  assert.equal(status, 'failing');
});

test('nothing is sent for other events, after the routing or the integration is gone, or on a lower plan', async (t) => {
  const world = await createWorld(t);
  const id = await routeIncidents(world);
  const { integrations } = world.services;
  const pending = async () => {
    await world.alert();
    await world.relay.runOnce();
  };
  await pending();
  await integrations.update(world.context, id, { routing: null });
  await world.worker.runOnce();
  await integrations.update(world.context, id, { routing: { severities: ['high'] } });
  await pending();
  world.plans.set(world.organizationId, 'professional');
  await world.worker.runOnce();
  world.plans.clear();
  await pending();
  await integrations.remove(world.context, id);
  await world.worker.runOnce();
  await world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await world.runtime.emit(tx, world.context, 'alert.resolved', {
      ...{ alertId: 'alr_1', resolution: 'fine', resolvedBy: 'mem_1' },
    });
  });
  await world.route();
  assert.equal(world.serviceNow.count('create') + world.serviceNow.count('read'), 0);
});

test('a chat is posted to, and a channel that is gone is tried again', async (t) => {
  const world = await createWorld(t, { retries: 0 });
  await routeMessages(world, { chat_id: MICROSOFT_CHAT });
  world.microsoft.places.delete(MICROSOFT_CHAT);
  await world.alert({ severity: 'critical' });
  await world.route();
  assert.equal(world.microsoft.messages.length, 0);
  world.microsoft.places.add(MICROSOFT_CHAT);
  await world.clock.advance(5_000);
  await world.route();
  assert.deepEqual(
    world.microsoft.messages.map(({ place }) => place),
    [MICROSOFT_CHAT],
  );
  assert.deepEqual(faultsOf(world), []);
});

test('an alert id that a query could misread is hashed', async (t) => {
  const world = await createWorld(t);
  await routeIncidents(world);
  await world.alert({ alertId: 'a^ORnumber!=0' });
  await world.route();
  assert.match(world.serviceNow.incidents[0]?.correlation_id ?? '', /^probity-[\da-f]{64}$/);
  assert.deepEqual(faultsOf(world), []);
});
