import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Page, PageOf } from '@probity/core';
import { createTenants, OUTSIDE_REQUEST } from '@probity/core';
import { alertFixture, scanFixture } from '../src/fixtures.ts';
import type { GovernanceStorage } from '../src/index.ts';
import { storageOf, targets } from './world.ts';

/** Half of them have each value: more than one statement may walk. */
const COUNT = 10_400;
const ORGANIZATION = 'org_pairs';

type Fits = (index: number) => boolean;
/** The values of each filter, with the numbers of the scans and alerts that fit it. */
type Filters = Readonly<Record<string, ReadonlyArray<readonly [unknown, Fits]>>>;

const isEven: Fits = (index) => index % 2 === 0;
const isOdd: Fits = (index) => index % 2 === 1;
const halves = (even: string, odd: string) =>
  [
    [even, isEven],
    [odd, isOdd],
  ] as const;
const TIMES: Filters = {
  since: [[new Date(COUNT / 2), (index) => index >= COUNT / 2]],
  until: [[new Date(COUNT / 2), (index) => index < COUNT / 2]],
};
const SCAN_FILTERS: Filters = {
  verdict: halves('allowed', 'blocked'),
  keyId: halves('key_0', 'key_1'),
  aiSystemId: halves('sys_0', 'sys_1'),
  stage: halves('pii_scanner', 'injection_detector'),
  type: halves('type_0', 'type_1'),
  policyId: halves('pol_0', 'pol_1'),
  ...TIMES,
};
const ALERT_FILTERS: Filters = {
  status: halves('open', 'resolved'),
  severity: halves('low', 'high'),
  assigneeId: halves('mem_0', 'mem_1'),
  text: halves('message 0', 'message 1'),
  ...TIMES,
};

interface Combination {
  readonly filter: Readonly<Record<string, unknown>>;
  /** The numbers that fit, newest first. */
  readonly expected: readonly number[];
}

/** No filter, each filter, and each pair of filters. */
function combinations(filters: Filters): Combination[] {
  const single = Object.entries(filters).flatMap(([name, values]) =>
    values.map(([value, fits]) => ({ name, value, fits })),
  );
  const pairs = single.flatMap((left, index) =>
    single
      .slice(index + 1)
      .filter((right) => right.name !== left.name)
      .map((right) => [left, right]),
  );
  const numbers = Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index);
  return [[], ...single.map((each) => [each]), ...pairs].map((all) => ({
    filter: Object.fromEntries(all.map(({ name, value }) => [name, value])),
    expected: numbers.filter((index) => all.every(({ fits }) => fits(index))),
  }));
}

async function openFilled(t: TestContext): Promise<GovernanceStorage> {
  const target = targets.find(({ name }) => name === 'sqlite');
  const opened = await target?.open();
  assert.ok(opened?.kind === 'sql');
  t.after(opened.dispose);
  await createTenants(opened.database).ensure(ORGANIZATION);
  const storage = storageOf(opened);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (let index = 0; index < COUNT; index += 1) {
      await tx.insertScan(scanOf(index));
      await tx.insertAlert(alertOf(index));
    }
  });
  return storage;
}

function scanOf(index: number) {
  const half = index % 2;
  const scan = scanFixture({ id: `scn_${index}`, organizationId: ORGANIZATION });
  const [finding] = scan.findings;
  assert.ok(finding);
  return {
    ...scan,
    createdAt: new Date(index),
    verdict: half === 0 ? ('allowed' as const) : ('blocked' as const),
    keyId: `key_${half}`,
    aiSystemId: `sys_${half}`,
    findings: [
      {
        ...finding,
        stage: half === 0 ? ('pii_scanner' as const) : ('injection_detector' as const),
        type: `type_${half}`,
      },
    ],
    findingCount: 1,
    facts: null,
    policies: [{ id: `pol_${half}`, version: 1, mode: 'enforce' as const }],
  };
}

function alertOf(index: number) {
  const half = index % 2;
  return {
    ...alertFixture({ id: `alr_${index}`, organizationId: ORGANIZATION }),
    createdAt: new Date(index),
    status: half === 0 ? ('open' as const) : ('resolved' as const),
    severity: half === 0 ? ('low' as const) : ('high' as const),
    assigneeId: `mem_${half}`,
    message: `message ${half}`,
  };
}

/** Returns the result of a list, and whether others were served before it ended. */
async function served<Found>(list: () => Promise<Found>): Promise<[Found, boolean]> {
  let isServed = false;
  const turn = setImmediate(() => {
    isServed = true;
  });
  const found = await list();
  clearImmediate(turn);
  return [found, isServed];
}

test('sqlite: every pair of filters finds the right scans and alerts, and others are served', async (t) => {
  const storage = await openFilled(t);
  type List = (filter: object, page: Page) => Promise<PageOf<{ readonly id: string }>>;
  const lists: ReadonlyArray<readonly [string, Filters, List]> = [
    ['scn', SCAN_FILTERS, (filter, page) => storage.listScans(ORGANIZATION, filter, page)],
    ['alr', ALERT_FILTERS, (filter, page) => storage.listAlerts(ORGANIZATION, filter, page)],
  ];
  for (const [prefix, filters, list] of lists) {
    for (const { filter, expected } of combinations(filters)) {
      const name = `${prefix} ${JSON.stringify(filter)}`;
      for (const offset of [0, 2_598, 5_198]) {
        const [found, isServed] = await served(() => list(filter, { limit: 3, offset }));
        const ids = expected.slice(offset, offset + 3).map((index) => `${prefix}_${index}`);
        assert.deepEqual(
          found.items.map(({ id }) => id),
          ids,
          name,
        );
        assert.equal(found.total, expected.length, name);
        const isPair =
          Object.keys(filter).length === 2 && !('since' in filter || 'until' in filter);
        if (isPair) assert.ok(isServed, name);
      }
    }
  }
});
