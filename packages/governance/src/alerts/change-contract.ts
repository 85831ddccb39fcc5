import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { alertActionFixture, alertFixture } from '../fixtures.ts';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import type { AlertPart, TimedAlert } from './storage.ts';
import type { Alert, AlertFilter } from './types.ts';

type Opened = OpenedStorage<GovernanceStorage>;

/** Contract checks of searches in alerts and of their changes, by test title. */
export const alertChangePromises: Readonly<Record<string, PromiseCheck<GovernanceStorage>>> = {
  'a text is found in message and resolution in any letter case, and not as a pattern': searches,
  'alerts are counted by hour and type, newest hour first, with every filter': counts,
  'several thousand alerts are found and counted by several conditions, on every page': findsMany,
  'of two resolutions of an alert one gets it, and it stays as that one left it': resolvesOnce,
  'concurrent resolutions of overlapping alerts get each of them once': resolvesConcurrently,
  'acknowledging and assigning change the open alerts of the organization that are otherwise':
    changes,
  'what was done with an alert is listed oldest first, all or of one kind': listsActions,
  'alerts are read by creation and by resolution, in parts': readsParts,
  'alerts that were open at a time are counted by AI system, also where resolved since': countsOpen,
  'resolved alerts are deleted earliest first, with what was done with them': deletes,
};

const at = (time: string) => new Date(`2026-01-01T${time}Z`);
const BY = { memberId: 'mem_1', at: at('20:00:00') };
const WHOLE = { limit: 200, offset: 0 };

function change<T>(
  storage: GovernanceStorage,
  work: (tx: GovernanceTransaction) => Promise<T>,
): Promise<T> {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

async function insert(storage: GovernanceStorage, alerts: readonly Alert[]): Promise<void> {
  await change(storage, async (tx) => {
    for (const alert of alerts) await tx.insertAlert(alert);
  });
}

const idsOf = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id);
const sortedIds = (found: ReadonlyArray<{ readonly id: string }>) => idsOf(found).sort();

async function searches({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const alert = (id: string, changes: Partial<Alert>) =>
    alertFixture({ id, organizationId, ...changes });
  await insert(storage, [
    alert('alr_1', { message: 'Personal data (email) in response.' }),
    alert('alr_2', { message: 'Toxic content (100%_sure).', resolution: 'Größe geprüft' }),
    alert('alr_3', { message: 'Injection attempt.' }),
  ]);
  const find = async (text: string) =>
    idsOf((await storage.listAlerts(organizationId, { text }, WHOLE)).items);
  assert.deepEqual(await find('EMAIL'), ['alr_1']);
  assert.deepEqual(await find('GRÖSSE'), []);
  assert.deepEqual(await find('GRÖßE'), ['alr_2']);
  assert.deepEqual(await find('0%_s'), ['alr_2']);
  assert.deepEqual(await find('0__s'), []);
  const resolution = 'A Test';
  await change(storage, (tx) => tx.resolveAlerts(organizationId, ['alr_3'], { ...BY, resolution }));
  assert.deepEqual(await find('a test'), ['alr_3']);
}

async function counts({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  const alerts = (['10:00:00', '10:59:59.999', '11:00:00', '11:30:00'] as const).map(
    (time, index) =>
      alertFixture({
        ...{ id: `alr_${index}`, organizationId, createdAt: at(time) },
        ...(index === 2 ? { type: 'injection', severity: 'high' } : {}),
      }),
  );
  await insert(storage, [...alerts, alertFixture({ id: 'alr_9', organizationId: other })]);
  const count = async (filter: AlertFilter) =>
    (await storage.countAlertsByHour(organizationId, filter)).map((each) => [
      each.hour.toISOString().slice(11, 16),
      each.type,
      each.count,
    ]);
  assert.deepEqual(await count({}), [
    ['11:00', 'injection', 1],
    ['11:00', 'pii', 1],
    ['10:00', 'pii', 2],
  ]);
  assert.deepEqual(await count({ severity: 'low', until: at('11:00:00'), text: 'email' }), [
    ['10:00', 'pii', 2],
  ]);
  assert.deepEqual(await count({ status: 'resolved' }), []);
}

async function findsMany({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const alerts = Array.from({ length: 10_100 }, (_, index) =>
    alertFixture({
      ...{ id: `alr_${String(index).padStart(5, '0')}`, organizationId },
      ...{ createdAt: new Date(at('00:00:00').getTime() + Math.floor(index / 3)) },
      ...(index % 100 === 7 ? { type: 'toxicity' } : {}),
      ...(index % 200 === 7 ? { severity: 'high' } : {}),
    }),
  );
  await insert(storage, alerts);
  const filter = { type: 'toxicity', severity: 'high', status: 'open' } as const;
  const expected = alerts.filter((alert) => alert.severity === 'high').map(({ id }) => id);
  for (const offset of [0, 30, 50, 60]) {
    const found = await storage.listAlerts(organizationId, filter, { limit: 10, offset });
    assert.equal(found.total, expected.length);
    assert.deepEqual(idsOf(found.items), [...expected].reverse().slice(offset, offset + 10));
  }
  const [counted] = await storage.countAlertsByHour(organizationId, filter);
  assert.equal(counted?.count, expected.length);
}

async function countsOpen({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  const start = at('10:00:00').getTime();
  const time = (minutes: number) => new Date(start + minutes * 60_000);
  // Half are open and half were resolved at one of two times: each half has more rows than one statement reads.
  const alerts = Array.from({ length: 10_100 }, (_, index) => {
    const resolvedAt = [null, time(60), null, time(600)][index % 4] ?? null;
    return alertFixture({
      ...{ id: `alr_${String(index).padStart(5, '0')}`, organizationId },
      ...{ createdAt: time(index % 3), aiSystemId: index % 5 === 0 ? 'sys' : null },
      ...(resolvedAt && { status: 'resolved', resolvedAt, resolvedBy: 'm', resolution: 'x' }),
    });
  });
  await insert(storage, [...alerts, alertFixture({ id: 'alr_x', organizationId: other })]);
  for (const minutes of [0, 1, 3, 60, 61, 601]) {
    const end = time(minutes);
    const open = alerts.filter(
      ({ createdAt, resolvedAt }) => createdAt < end && (!resolvedAt || resolvedAt >= end),
    );
    const expected = [null, 'sys'].flatMap((aiSystemId) => {
      const count = open.filter((alert) => alert.aiSystemId === aiSystemId).length;
      return count === 0 ? [] : [{ aiSystemId, count }];
    });
    const found = await storage.countOpenAlerts(organizationId, end);
    const byText = [...found].sort((left) => (left.aiSystemId === null ? -1 : 1));
    assert.deepEqual(byText, expected, `${minutes} minutes later`);
  }
}

async function resolvesOnce({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const alert = alertFixture({ id: 'alr_1', organizationId });
  await insert(storage, [alert]);
  const resolve = (resolution: string) =>
    change(storage, (tx) =>
      tx.resolveAlerts(organizationId, ['alr_1', 'alr_2'], { ...BY, resolution }),
    );
  const resolved = {
    ...{ ...alert, status: 'resolved', resolvedAt: BY.at },
    ...{ resolvedBy: 'mem_1', resolution: 'First' },
  };
  assert.deepEqual(await resolve('First'), [resolved]);
  assert.deepEqual(await resolve('Second'), []);
  assert.deepEqual(await storage.findAlert(organizationId, 'alr_1'), resolved);
}

async function resolvesConcurrently({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const ids = Array.from({ length: 40 }, (_, index) => `alr_${String(index).padStart(2, '0')}`);
  await insert(
    storage,
    ids.map((id) => alertFixture({ id, organizationId })),
  );
  const resolutions = Array.from({ length: 8 }, (_, index) => {
    const wanted = index % 2 === 0 ? ids : [...ids].reverse();
    return change(storage, (tx) =>
      tx.resolveAlerts(organizationId, wanted, { ...BY, resolution: `${index}` }),
    );
  });
  const resolved = (await Promise.all(resolutions)).flat();
  assert.deepEqual(sortedIds(resolved), ids);
  for (const alert of resolved) {
    assert.deepEqual(await storage.findAlert(organizationId, alert.id), alert);
  }
}

async function changes({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  const alert = (id: string, given: Partial<Alert> = {}) =>
    alertFixture({ id, organizationId, ...given });
  const acknowledged = { acknowledgedAt: at('10:00:00'), acknowledgedBy: 'mem_0' };
  await insert(storage, [
    alert('alr_1'),
    alert('alr_2', { ...acknowledged, assigneeId: 'mem_2' }),
    alert('alr_3', { status: 'resolved', resolvedAt: at('11:00:00') }),
    alert('alr_4', { organizationId: other }),
  ]);
  const ids = ['alr_1', 'alr_2', 'alr_3', 'alr_4', 'alr_1'];
  const marked = await change(storage, (tx) => tx.acknowledgeAlerts(organizationId, ids, BY));
  assert.deepEqual(marked, [alert('alr_1', { acknowledgedAt: BY.at, acknowledgedBy: 'mem_1' })]);
  const assign = async (memberId: string | null) =>
    sortedIds(await change(storage, (tx) => tx.assignAlerts(organizationId, ids, memberId)));
  assert.deepEqual(await assign('mem_2'), ['alr_1']);
  assert.deepEqual(await assign('mem_3'), ['alr_1', 'alr_2']);
  assert.deepEqual(await assign(null), ['alr_1', 'alr_2']);
  assert.deepEqual(await assign(null), []);
  assert.equal((await storage.findAlert(organizationId, 'alr_1'))?.assigneeId, null);
  assert.equal((await storage.findAlert(other, 'alr_4'))?.acknowledgedAt, null);
}

async function listsActions({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  await insert(storage, [
    alertFixture({ id: 'alr_1', organizationId }),
    alertFixture({ id: 'alr_2', organizationId }),
  ]);
  const action = (id: string, given = {}) =>
    alertActionFixture({ id, organizationId, alertId: 'alr_1', ...given });
  const late = action('act_1', { createdAt: at('12:00:00') });
  const [early, second] = [action('act_2'), action('act_3')];
  const assigned = action('act_4', { action: 'assigned', text: null, assigneeId: 'mem_2' });
  const elsewhere = action('act_5', { alertId: 'alr_2' });
  await change(storage, (tx) => tx.insertAlertActions([late, second, assigned, early, elsewhere]));
  await change(storage, (tx) => tx.insertAlertActions([]));
  const list = (owner: string, kind?: 'commented', page = WHOLE) =>
    storage.listAlertActions(owner, 'alr_1', kind, page);
  assert.deepEqual(await list(organizationId), {
    items: [early, second, assigned, late],
    total: 4,
  });
  const page = await list(organizationId, 'commented', { limit: 2, offset: 1 });
  assert.deepEqual(page, { items: [second, late], total: 3 });
  assert.deepEqual(await list(other), { items: [], total: 0 });
}

async function readsParts({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  const alert = (id: string, created: string, resolved?: string) =>
    alertFixture({
      ...{ id, organizationId, createdAt: at(created) },
      ...(resolved
        ? { status: 'resolved', resolvedAt: at(resolved), resolvedBy: 'mem_1', resolution: 'x' }
        : {}),
    });
  await insert(storage, [
    alert('alr_1', '10:00:00', '14:00:00'),
    alert('alr_2', '12:00:00'),
    alert('alr_3', '12:00:00', '13:00:00'),
    alert('alr_4', '13:00:00'),
    alertFixture({ id: 'alr_5', organizationId: other, createdAt: at('12:00:00') }),
  ]);
  const read = async (part: Omit<AlertPart, 'limit'>) => {
    const found: TimedAlert[] = [];
    for (;;) {
      const next = await storage.readTimedAlerts(organizationId, {
        ...part,
        ...{ after: found.at(-1), limit: 1 },
      });
      if (next.length === 0) return idsOf(found);
      found.push(...next);
    }
  };
  const range = { since: at('10:00:00'), until: at('13:00:00') };
  assert.deepEqual(await read({ by: 'createdAt', ...range }), ['alr_1', 'alr_2', 'alr_3']);
  const later = { since: at('13:00:00'), until: at('15:00:00') };
  assert.deepEqual(await read({ by: 'resolvedAt', ...later }), ['alr_3', 'alr_1']);
  const [facts] = await storage.readTimedAlerts(organizationId, {
    ...{ by: 'resolvedAt', ...later, limit: 1 },
  });
  assert.deepEqual(facts, {
    ...{ id: 'alr_3', createdAt: at('12:00:00'), resolvedAt: at('13:00:00') },
    ...{ resolvedBy: 'mem_1', aiSystemId: null },
  });
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [organizationId, other] = [await createTenant(), await createTenant()];
  const resolved = (id: string, time: string, owner = organizationId) =>
    alertFixture({ id, organizationId: owner, status: 'resolved', resolvedAt: at(time) });
  await insert(storage, [
    resolved('alr_1', '12:00:00'),
    resolved('alr_2', '11:00:00'),
    resolved('alr_3', '13:00:00'),
    resolved('alr_4', '11:00:00', other),
    alertFixture({ id: 'alr_5', organizationId }),
  ]);
  const actions = ['alr_1', 'alr_3'].map((alertId, index) =>
    alertActionFixture({ id: `act_${index}`, organizationId, alertId }),
  );
  await change(storage, (tx) => tx.insertAlertActions(actions));
  const remove = (limit: number) =>
    change(storage, (tx) => tx.deleteResolvedAlerts(organizationId, at('13:00:00'), limit));
  assert.equal(await remove(1), 1);
  assert.equal(await storage.findAlert(organizationId, 'alr_2'), null);
  assert.deepEqual([await remove(9), await remove(9)], [1, 0]);
  const { items } = await storage.listAlerts(organizationId, {}, WHOLE);
  assert.deepEqual(sortedIds(items), ['alr_3', 'alr_5']);
  assert.notEqual(await storage.findAlert(other, 'alr_4'), null);
  const left = async (id: string) =>
    (await storage.listAlertActions(organizationId, id, undefined, WHOLE)).total;
  assert.deepEqual([await left('alr_1'), await left('alr_3')], [0, 1]);
}
