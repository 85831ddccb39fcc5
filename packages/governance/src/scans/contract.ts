import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { alertFixture, scanFixture } from '../fixtures.ts';
import type { GovernanceStorage } from '../storage.ts';
import type { TimedScan } from './storage.ts';
import type { Scan, ScanFilter } from './types.ts';

type Opened = OpenedStorage<GovernanceStorage>;

/** Contract checks of a storage for scans, by test title. */
export const scanPromises: Readonly<Record<string, PromiseCheck<GovernanceStorage>>> = {
  'a stored scan is read back unchanged': readsBack,
  'a scan without prompt, context, findings and violation is read back with nulls': readsNulls,
  "another organization's scan is not found": hides,
  'scans are listed newest first, in pages, by every filter': lists,
  'scans are read for judging newest first, part by part, from a time on': readsJudged,
  'old scans of an organization are deleted oldest first: those that found, or may have found, personal data, or all':
    expires,
  'scans of a time are read oldest first, part by part, for summaries': readsTimed,
  'a failed transaction stores neither scan nor alert': rollsBack,
  'a transaction sees its own scan and alert; others see them after its commit': seesItsOwn,
};

function insert(storage: GovernanceStorage, ...scans: Scan[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const scan of scans) await tx.insertScan(scan);
  });
}

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const scan = scanFixture({ id: 'scn_1', organizationId });
  await insert(storage, scan);
  assert.deepEqual(await storage.findScan(organizationId, scan.id), scan);
}

async function readsNulls({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
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
  await insert(storage, scan);
  assert.deepEqual(await storage.findScan(organizationId, scan.id), scan);
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const finding = scanFixture({ id: 'scn_x', organizationId: own }).findings[0];
  assert.ok(finding);
  const plain = { findings: [], findingCount: 0, facts: null, aiSystemId: null };
  const injection = { ...finding, stage: 'injection_scanner', type: 'sql_injection' };
  const policies = [{ id: 'pol_own', version: 1, mode: 'enforce' }] as const;
  const scan = (number: number, at: number, changes: Partial<Scan>) =>
    scanFixture({
      ...{ id: `scn_${number}`, organizationId: own, createdAt: day(at) },
      ...changes,
    });
  await insert(
    storage,
    scan(2, 2, { ...plain, verdict: 'allowed', violation: null }),
    scan(1, 1, { ...plain, verdict: 'flagged', findings: [injection], findingCount: 1 }),
    scan(4, 2, { facts: { cut: [['pii_scanner', 'passport', 0.9]] }, keyId: 'key_other' }),
    scan(3, 2, { ...plain, policies }),
    scan(5, 3, { facts: { omitted: [['toxicity_scanner', 'violence', 0.9, 3]] }, policies }),
    scanFixture({ id: 'scn_6', organizationId: other }),
  );
  const expected: ReadonlyArray<[ScanFilter, readonly number[]]> = [
    [{}, [5, 4, 3, 2, 1]],
    [{ verdict: 'flagged' }, [1]],
    [{ verdict: 'blocked' }, [5, 4, 3]],
    [{ stage: 'injection_scanner' }, [1]],
    [{ stage: 'pii_scanner' }, [5, 4]],
    [{ stage: 'toxicity_scanner' }, [5]],
    [{ type: 'passport' }, [4]],
    [{ type: 'ssn', stage: 'pii_scanner', policyId: 'pol_own' }, [5]],
    [{ type: 'ssn', stage: 'injection_scanner' }, []],
    [{ policyId: 'pol_builtin' }, [4, 2, 1]],
    [{ policyId: 'pol_own', since: day(3) }, [5]],
    [{ keyId: 'key_other' }, [4]],
    [{ keyId: 'key_test', verdict: 'blocked', type: 'ssn' }, [5]],
    [{ aiSystemId: '01890a5d-ac96-774b-bcce-b302099a8057' }, [5, 4]],
    [{ since: day(2), until: day(3) }, [4, 3, 2]],
    [{ until: day(2) }, [1]],
  ];
  for (const [filter, numbers] of expected) {
    const page = (limit: number, offset: number) =>
      storage.listScans(own, filter, { limit, offset });
    const [first, rest] = [await page(2, 0), await page(50, 2)];
    const found = [...first.items, ...rest.items];
    const ids = numbers.map((number) => `scn_${number}`);
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
      JSON.stringify(filter),
    );
    assert.deepEqual([first.total, rest.total], [ids.length, ids.length]);
    for (const each of found) assert.deepEqual(each, await storage.findScan(own, each.id));
  }
}

async function readsJudged({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const scan = (id: string, number: number, changes: Partial<Scan> = {}) =>
    scanFixture({ id, organizationId: own, createdAt: day(number), ...changes });
  const scans = [
    scan('scn_2', 2, { keyId: 'key_other', namedPolicyIds: null, facts: null }),
    scan('scn_1', 1),
    scan('scn_4', 2, { findings: [], findingCount: 0 }),
    scan('scn_3', 3),
  ];
  await insert(storage, ...scans, scanFixture({ id: 'scn_5', organizationId: other }));
  const first = await storage.readJudgedScans(own, { limit: 2 });
  const rest = await storage.readJudgedScans(own, { limit: 9, after: first[1] });
  const read = [...first, ...rest];
  assert.deepEqual(
    read.map(({ id }) => id),
    ['scn_3', 'scn_4', 'scn_2', 'scn_1'],
  );
  for (const { id, keyId, scores, findings, facts, namedPolicyIds, createdAt } of read) {
    const stored = scans.find((each) => each.id === id);
    assert.deepEqual(
      { keyId, scores, findings, facts, namedPolicyIds, createdAt },
      {
        ...{ keyId: stored?.keyId, scores: stored?.scores, findings: stored?.findings },
        ...{ facts: stored?.facts, namedPolicyIds: stored?.namedPolicyIds },
        createdAt: stored?.createdAt,
      },
    );
  }
  const since = await storage.readJudgedScans(own, { since: day(2), limit: 9 });
  assert.deepEqual(
    since.map(({ id }) => id),
    ['scn_3', 'scn_4', 'scn_2'],
  );
}

async function hides({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await insert(storage, scanFixture({ id: 'scn_1', organizationId: other }));
  assert.equal(await storage.findScan(own, 'scn_1'), null);
  assert.equal(await storage.findScan(own, 'scn_2'), null);
}

async function expires({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const [finding] = scanFixture({ id: 'scn_x', organizationId: own }).findings;
  assert.ok(finding);
  const clean = { findings: [{ ...finding, stage: 'injection_scanner' as const }] };
  const none = { findings: [], findingCount: 0 };
  const scans = [
    scanFixture({ id: 'scn_1', organizationId: own, createdAt: day(1) }),
    scanFixture({ id: 'scn_2', organizationId: other, createdAt: day(2) }),
    scanFixture({ id: 'scn_3', organizationId: own, createdAt: day(3), ...clean, findingCount: 2 }),
    scanFixture({ id: 'scn_4', organizationId: own, createdAt: day(1), ...clean }),
    scanFixture({ id: 'scn_5', organizationId: own, createdAt: day(1), ...none }),
    scanFixture({ id: 'scn_6', organizationId: own, createdAt: day(4) }),
  ];
  await insert(storage, ...scans);
  const remove = (limit: number) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deletePersonalScans(own, day(4), limit));
  assert.deepEqual([await remove(1), await remove(2), await remove(2)], [1, 1, 0]);
  const left = async () => {
    const found = await Promise.all(
      scans.map((scan) => storage.findScan(scan.organizationId, scan.id)),
    );
    return found.flatMap((scan) => scan?.id ?? []);
  };
  assert.deepEqual(await left(), ['scn_2', 'scn_4', 'scn_5', 'scn_6']);
  const removeAll = (limit: number) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteScans(own, day(4), limit));
  assert.deepEqual([await removeAll(1), await removeAll(2), await removeAll(2)], [1, 1, 0]);
  assert.deepEqual(await left(), ['scn_2', 'scn_6']);
}

async function readsTimed({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  assert.equal(await storage.oldestScanAt(own), null);
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
  const scan = (id: string, ms: number, organizationId = own) =>
    scanFixture({ id, organizationId, createdAt: at(ms) });
  const plain = {
    ...scan('scn_5', 3),
    ...{ findings: [], violation: null, facts: null, aiSystemId: null },
  };
  await insert(
    storage,
    ...[scan('scn_4', 2), scan('scn_2', 1), scan('scn_3', 2), plain],
    ...[scan('scn_6', 4), scan('scn_1', 0), scan('scn_7', 2, other)],
  );
  const found: TimedScan[] = [];
  for (;;) {
    const range = { since: at(1), until: at(4) };
    const part = await storage.readTimedScans(own, { ...range, after: found.at(-1), limit: 1 });
    if (part.length === 0) break;
    found.push(...part);
  }
  assert.deepEqual(
    found.map(({ id }) => id),
    ['scn_2', 'scn_3', 'scn_4', 'scn_5'],
  );
  const { id, createdAt, aiSystemId, verdict, policies, violation, facts } = scan('scn_2', 1);
  const whole = { id, createdAt, aiSystemId, verdict, policies, violation, facts };
  assert.deepEqual(found[0], whole);
  const last = { id: 'scn_5', createdAt: at(3), aiSystemId: null, violation: null, facts: null };
  assert.deepEqual(found[3], { ...whole, ...last });
  assert.deepEqual(await storage.oldestScanAt(own), at(0));
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertScan(scanFixture({ id: 'scn_1', organizationId }));
    await tx.insertAlert(alertFixture({ id: 'alr_1', organizationId }));
    throw new Error('the last step fails');
  });
  await assert.rejects(failing, /the last step fails/);
  assert.equal(await storage.findScan(organizationId, 'scn_1'), null);
  assert.equal(await storage.findAlert(organizationId, 'alr_1'), null);
}

async function seesItsOwn({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const organizationId = await createTenant();
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
  const reader = openAnother() ?? storage;
  assert.deepEqual(await reader.findScan(organizationId, 'scn_1'), scan);
  assert.deepEqual(await reader.findAlert(organizationId, 'alr_1'), alert);
}
