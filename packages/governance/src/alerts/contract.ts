import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { alertFixture } from '../fixtures.ts';
import type { GovernanceStorage } from '../storage.ts';
import type { Alert, AlertFilter } from './types.ts';

type Opened = OpenedStorage<GovernanceStorage>;

const NEWEST_FIRST = 'are listed newest first, ties by descending id, with the total';

/** Contract checks of a storage for alerts, by test title. */
export const alertPromises: Readonly<Record<string, PromiseCheck<GovernanceStorage>>> = {
  'open and resolved alerts are read back unchanged': readsBack,
  "another organization's alert is neither found nor listed nor counted": hides,
  'pages of alerts list each alert once, with the total on every page': pages,
  [`alerts without a filter ${NEWEST_FIRST}`]: lists({}, [5, 4, 3, 2, 1]),
  [`open alerts ${NEWEST_FIRST}`]: lists({ status: 'open' }, [5, 4, 3]),
  [`resolved alerts ${NEWEST_FIRST}`]: lists({ status: 'resolved' }, [2, 1]),
  [`alerts of a type ${NEWEST_FIRST}`]: lists({ type: 'pii' }, [5, 4, 2]),
  [`alerts of a severity ${NEWEST_FIRST}`]: lists({ severity: 'high' }, [3, 1]),
  'alerts are filtered by status, type and severity combined': lists(
    { status: 'open', type: 'pii', severity: 'critical' },
    [5],
  ),
  'a filter that matches no alert lists nothing': lists({ type: 'hallucination' }, []),
  [`alerts of a scan ${NEWEST_FIRST}`]: lists({ scanId: 'scn_2' }, [4, 2]),
  [`alerts of an assignee ${NEWEST_FIRST}`]: lists({ assigneeId: 'mem_2' }, [5, 3]),
  'alerts are filtered by time, from the first moment on and before the last': lists(
    { since: at('12:00:00'), until: at('13:00:00') },
    [4, 3, 2],
  ),
  'alerts are filtered by every condition at once': lists(
    {
      ...{ status: 'resolved', type: 'pii', severity: 'critical', scanId: 'scn_2' },
      ...{ since: at('11:00:00'), until: at('13:00:00'), text: 'RESPONSE' },
    },
    [2],
  ),
};

function at(time: string): Date {
  return new Date(`2026-01-01T${time}Z`);
}

function insert(storage: GovernanceStorage, ...alerts: Alert[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const alert of alerts) await tx.insertAlert(alert);
  });
}

/** Three created at one moment, then one later and one earlier, out of order. */
function alertsOf(organizationId: string): Alert[] {
  const alert = (id: string, changes: Partial<Alert>) =>
    alertFixture({ id, organizationId, ...changes });
  const status = 'resolved';
  return [
    alert('alr_3', {
      ...{ createdAt: at('12:00:00'), type: 'injection', severity: 'high', assigneeId: 'mem_2' },
    }),
    alert('alr_5', { createdAt: at('13:00:00'), severity: 'critical', assigneeId: 'mem_2' }),
    alert('alr_2', { createdAt: at('12:00:00'), severity: 'critical', status, scanId: 'scn_2' }),
    alert('alr_1', { createdAt: at('11:00:00'), type: 'policy', severity: 'high', status }),
    alert('alr_4', { createdAt: at('12:00:00'), scanId: 'scn_2' }),
  ];
}

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const open = alertFixture({ id: 'alr_1', organizationId });
  const resolved = alertFixture({
    id: 'alr_2',
    organizationId,
    aiSystemId: '01890a5d-ac96-774b-bcce-b302099a8057',
    acknowledgedAt: new Date('2026-01-02T03:04:04.000Z'),
    acknowledgedBy: 'mem_1',
    assigneeId: 'mem_2',
    status: 'resolved',
    resolvedAt: new Date('2026-01-02T03:04:05.678Z'),
    resolvedBy: 'mem_3',
    resolution: 'Not a customer’s number.',
  });
  await insert(storage, open, resolved);
  assert.deepEqual(await storage.findAlert(organizationId, 'alr_1'), open);
  assert.deepEqual(await storage.findAlert(organizationId, 'alr_2'), resolved);
  const found = await storage.findAlerts(organizationId, ['alr_2', 'alr_1', 'alr_3', 'alr_1']);
  const inOrder = found.sort((left, right) => (left.id < right.id ? -1 : 1));
  assert.deepEqual(inOrder, [open, resolved]);
}

async function hides({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await insert(
    storage,
    alertFixture({ id: 'alr_1', organizationId: other }),
    alertFixture({ id: 'alr_2', organizationId: own }),
  );
  assert.equal(await storage.findAlert(own, 'alr_1'), null);
  assert.deepEqual(await storage.findAlerts(own, ['alr_1']), []);
  assert.deepEqual(
    (await storage.countAlertsByHour(own, {})).map(({ count }) => count),
    [1],
  );
  const { items, total } = await storage.listAlerts(own, {}, { limit: 50, offset: 0 });
  assert.deepEqual([items.map(({ id }) => id), total], [['alr_2'], 1]);
}

async function pages({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  await insert(storage, ...alertsOf(organizationId));
  const seen: string[] = [];
  for (let offset = 0; offset <= 6; offset += 2) {
    const page = await storage.listAlerts(organizationId, {}, { limit: 2, offset });
    seen.push(...page.items.map(({ id }) => id));
    assert.equal(page.total, 5);
  }
  assert.deepEqual(seen, ['alr_5', 'alr_4', 'alr_3', 'alr_2', 'alr_1']);
}

function lists(filter: AlertFilter, expected: readonly number[]) {
  return async ({ storage, createTenant }: Opened): Promise<void> => {
    const organizationId = await createTenant();
    await insert(storage, ...alertsOf(organizationId));
    const page = { limit: 50, offset: 0 };
    const { items, total } = await storage.listAlerts(organizationId, filter, page);
    assert.deepEqual(
      items.map(({ id }) => id),
      expected.map((number) => `alr_${number}`),
    );
    assert.equal(total, expected.length);
  };
}
