import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { GovernanceStorage } from '../storage.ts';
import type { Alert, AlertFilter } from '../types.ts';
import { alertFixture, scanFixture } from './fixtures.ts';

/** An empty storage of a test's own. */
export interface OpenedGovernanceStorage {
  readonly storage: GovernanceStorage;
  /** Two organizations that exist. */
  readonly organizationIds: readonly [string, string];
  /** Closes and removes it. */
  dispose(): Promise<void>;
}

/** A storage that claims to keep the contract. */
export interface GovernanceStorageTarget {
  readonly name: string;
  open(): Promise<OpenedGovernanceStorage>;
}

type Run = (test: (opened: OpenedGovernanceStorage) => Promise<void>) => () => Promise<void>;

/** The suite that every storage of scans and alerts passes; it runs under `node --test`. */
export function describeGovernanceStorage(target: GovernanceStorageTarget): void {
  const run: Run = (test) => async () => {
    const opened = await target.open();
    try {
      await test(opened);
    } finally {
      await opened.dispose();
    }
  };
  describe(`governance storage on ${target.name}`, () => {
    describeScans(run);
    describeScanRetention(run);
    describeAlerts(run);
    describeAlertList(run);
    describeTransactions(run);
  });
}

function describeScans(run: Run): void {
  it(
    'a stored scan is read back as it was written',
    run(async ({ storage, organizationIds: [organizationId] }) => {
      const scan = scanFixture({ id: 'scn_1', organizationId });
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertScan(scan));
      assert.deepEqual(await storage.findScan(organizationId, scan.id), scan);
    }),
  );

  it(
    'a scan without prompt, context, findings and violation is read back with nulls',
    run(async ({ storage, organizationIds: [organizationId] }) => {
      const scan = scanFixture({
        id: 'scn_1',
        organizationId,
        verdict: 'allowed',
        findings: [],
        findingCount: 0,
        violation: null,
        metadata: {},
        promptHash: null,
        contextHash: null,
      });
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertScan(scan));
      assert.deepEqual(await storage.findScan(organizationId, scan.id), scan);
    }),
  );

  it(
    "another organization's scan is not found",
    run(async ({ storage, organizationIds: [mine, theirs] }) => {
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.insertScan(scanFixture({ id: 'scn_1', organizationId: theirs })),
      );
      assert.equal(await storage.findScan(mine, 'scn_1'), null);
      assert.equal(await storage.findScan(mine, 'scn_2'), null);
    }),
  );
}

function describeScanRetention(run: Run): void {
  it(
    'old scans that found personal data go, or may have found some, and no others',
    run(async ({ storage, organizationIds: [organizationId, other] }) => {
      const day = (number: number) => new Date(Date.UTC(2026, 0, number));
      const found = scanFixture({ id: 'scn_x', organizationId }).findings[0];
      assert.ok(found);
      const clean = { findings: [{ ...found, stage: 'injection_scanner' as const }] };
      const scans = [
        scanFixture({ id: 'scn_1', organizationId, createdAt: day(1) }),
        scanFixture({ id: 'scn_2', organizationId: other, createdAt: day(2) }),
        scanFixture({ id: 'scn_3', organizationId, createdAt: day(3), ...clean, findingCount: 2 }),
        scanFixture({ id: 'scn_4', organizationId, createdAt: day(1), ...clean }),
        scanFixture({
          id: 'scn_5',
          organizationId,
          createdAt: day(1),
          findings: [],
          findingCount: 0,
        }),
        scanFixture({ id: 'scn_6', organizationId, createdAt: day(4) }),
      ];
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const scan of scans) await tx.insertScan(scan);
      });
      const remove = (limit: number) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deletePersonalScans(day(4), limit));
      assert.deepEqual([await remove(2), await remove(2), await remove(2)], [2, 1, 0]);
      const left = await Promise.all(
        scans.map((scan) => storage.findScan(scan.organizationId, scan.id)),
      );
      assert.deepEqual(
        left.map((scan) => scan?.id ?? null),
        [null, null, null, 'scn_4', 'scn_5', 'scn_6'],
      );
    }),
  );
}

function describeAlerts(run: Run): void {
  it(
    'alerts are read back as they were written, open and resolved',
    run(async ({ storage, organizationIds: [organizationId] }) => {
      const open = alertFixture({ id: 'alr_1', organizationId });
      const resolved = alertFixture({
        id: 'alr_2',
        organizationId,
        status: 'resolved',
        resolvedAt: new Date('2026-01-02T03:04:05.678Z'),
        resolution: 'Not a customer’s number.',
      });
      await insertAlerts(storage, [open, resolved]);
      assert.deepEqual(await storage.findAlert(organizationId, 'alr_1'), open);
      assert.deepEqual(await storage.findAlert(organizationId, 'alr_2'), resolved);
    }),
  );

  it(
    "another organization's alert is neither found nor listed nor counted",
    run(async ({ storage, organizationIds: [mine, theirs] }) => {
      await insertAlerts(storage, [
        alertFixture({ id: 'alr_1', organizationId: theirs }),
        alertFixture({ id: 'alr_2', organizationId: mine }),
      ]);
      assert.equal(await storage.findAlert(mine, 'alr_1'), null);
      const { items, total } = await storage.listAlerts(mine, {}, { limit: 50, offset: 0 });
      assert.deepEqual([items.map(({ id }) => id), total], [['alr_2'], 1]);
    }),
  );
}

/** Three created at one moment, then one later and one earlier, written out of order. */
function alertsOf(organizationId: string): Alert[] {
  const at = (time: string) => new Date(`2026-01-01T${time}Z`);
  const alert = (id: string, changes: Partial<Alert>) =>
    alertFixture({ id, organizationId, ...changes });
  const status = 'resolved';
  return [
    alert('alr_3', { createdAt: at('12:00:00'), type: 'injection', severity: 'high' }),
    alert('alr_5', { createdAt: at('13:00:00'), severity: 'critical' }),
    alert('alr_2', { createdAt: at('12:00:00'), severity: 'critical', status }),
    alert('alr_1', { createdAt: at('11:00:00'), type: 'policy', severity: 'high', status }),
    alert('alr_4', { createdAt: at('12:00:00') }),
  ];
}

const FILTERS: readonly { name: string; filter: AlertFilter; ids: readonly string[] }[] = [
  { name: 'nothing', filter: {}, ids: ['alr_5', 'alr_4', 'alr_3', 'alr_2', 'alr_1'] },
  { name: 'open', filter: { status: 'open' }, ids: ['alr_5', 'alr_4', 'alr_3'] },
  { name: 'resolved', filter: { status: 'resolved' }, ids: ['alr_2', 'alr_1'] },
  { name: 'a type', filter: { type: 'pii' }, ids: ['alr_5', 'alr_4', 'alr_2'] },
  { name: 'a severity', filter: { severity: 'high' }, ids: ['alr_3', 'alr_1'] },
  {
    name: 'all three',
    filter: { status: 'open', type: 'pii', severity: 'critical' },
    ids: ['alr_5'],
  },
  { name: 'what there is none of', filter: { type: 'hallucination' }, ids: [] },
];

function describeAlertList(run: Run): void {
  for (const { name, filter, ids } of FILTERS) {
    it(
      `alerts filtered by ${name} come newest first, ties by descending id, with their number`,
      run(async ({ storage, organizationIds: [organizationId] }) => {
        await insertAlerts(storage, alertsOf(organizationId));
        const page = { limit: 50, offset: 0 };
        const { items, total } = await storage.listAlerts(organizationId, filter, page);
        assert.deepEqual(
          items.map(({ id }) => id),
          ids,
        );
        assert.equal(total, ids.length);
      }),
    );
  }

  it(
    'pages of alerts give each alert once and the whole number on every page',
    run(async ({ storage, organizationIds: [organizationId] }) => {
      await insertAlerts(storage, alertsOf(organizationId));
      const seen: string[] = [];
      for (let offset = 0; offset <= 6; offset += 2) {
        const page = await storage.listAlerts(organizationId, {}, { limit: 2, offset });
        seen.push(...page.items.map(({ id }) => id));
        assert.equal(page.total, 5);
      }
      assert.deepEqual(seen, ['alr_5', 'alr_4', 'alr_3', 'alr_2', 'alr_1']);
    }),
  );
}

function describeTransactions(run: Run): void {
  it(
    'a transaction that fails leaves neither scan nor alert',
    run(async ({ storage, organizationIds: [organizationId] }) => {
      const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.insertScan(scanFixture({ id: 'scn_1', organizationId }));
        await tx.insertAlert(alertFixture({ id: 'alr_1', organizationId }));
        throw new Error('the last step fails');
      });
      await assert.rejects(failing, /the last step fails/);
      assert.equal(await storage.findScan(organizationId, 'scn_1'), null);
      assert.equal(await storage.findAlert(organizationId, 'alr_1'), null);
    }),
  );

  it(
    'a transaction sees its own scan and alert, and after its commit everybody does',
    run(async ({ storage, organizationIds: [organizationId] }) => {
      const scan = scanFixture({ id: 'scn_1', organizationId });
      const alert = alertFixture({ id: 'alr_1', organizationId });
      const within = await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.insertScan(scan);
        await tx.insertAlert(alert);
        return [
          await tx.findScan(organizationId, 'scn_1'),
          await tx.findAlert(organizationId, 'alr_1'),
        ];
      });
      assert.deepEqual(within, [scan, alert]);
      assert.deepEqual(await storage.findScan(organizationId, 'scn_1'), scan);
      assert.deepEqual(await storage.findAlert(organizationId, 'alr_1'), alert);
    }),
  );
}

function insertAlerts(storage: GovernanceStorage, alerts: readonly Alert[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const alert of alerts) await tx.insertAlert(alert);
  });
}
