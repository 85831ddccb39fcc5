// Lists of scans and alerts with every filter and every pair of filters: time, and the CPU time of the longest
// statement, which holds the process. node governance/filters.mjs [SCANS]

import { performance } from 'node:perf_hooks';
import { recordStatements } from '../../packages/core/dist/src/testing.js';
import { createSqlGovernanceStorage } from '../../packages/governance/dist/src/sql.js';
import { fillScans } from './fill-scans.mjs';
import { organizationId, withScanDatabase } from './scan-database.mjs';

const count = Number(process.argv[2] ?? 1_000_000);
const SCAN_FILTERS = {
  verdict: ['allowed', 'blocked', 'flagged'],
  keyId: ['key_0', 'key_none'],
  aiSystemId: ['sys_0', 'sys_none'],
  stage: ['pii_scanner', 'none'],
  type: ['email', 'none'],
  policyId: ['pol_all', 'pol_none'],
  since: [new Date(count / 2)],
  until: [new Date(count / 2)],
};
const ALERT_FILTERS = {
  status: ['open', 'resolved'],
  type: ['pii', 'none'],
  severity: ['low', 'critical'],
  assigneeId: ['mem_0', 'mem_none'],
  scanId: ['scn_10000001', 'scn_none'],
  text: ['leaked', 'nowhere'],
  since: [new Date(count / 2)],
  until: [new Date(count / 2)],
};

await withScanDatabase(run);

async function run(database) {
  await fillScans(database, organizationId, count);
  const timed = timeStatements(database);
  const storage = createSqlGovernanceStorage(timed.database);
  const page = { limit: 50, offset: 0 };
  await measure('scans', SCAN_FILTERS, timed, (filter) =>
    storage.listScans(organizationId, filter, page),
  );
  await measure('alerts', ALERT_FILTERS, timed, (filter) =>
    storage.listAlerts(organizationId, filter, page),
  );
}

async function measure(name, filters, timed, list) {
  const rows = [];
  for (const filter of combinations(filters)) {
    timed.reset();
    const startMs = performance.now();
    const { total } = await list(filter);
    const ms = Math.round(performance.now() - startMs);
    rows.push({
      filter: JSON.stringify(filter),
      total,
      ms,
      longestMs: Math.round(timed.longest()),
    });
  }
  rows.sort((left, right) => right.longestMs - left.longestMs);
  console.log(name, `${rows.length} filters; the ten with the longest statements:`);
  for (const row of rows.slice(0, 10)) console.log(' ', JSON.stringify(row));
  rows.sort((left, right) => right.ms - left.ms);
  console.log('  the five that take longest:');
  for (const row of rows.slice(0, 5)) console.log(' ', JSON.stringify(row));
}

function combinations(filters) {
  const single = Object.entries(filters).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  const pairs = single.flatMap((left, index) =>
    single
      .slice(index + 1)
      .filter((right) => Object.keys(right)[0] !== Object.keys(left)[0])
      .map((right) => ({ ...left, ...right })),
  );
  return [{}, ...single, ...pairs];
}

/** SQLite runs a statement within its call, so that a microtask follows its end. */
function timeStatements(database) {
  let longest = 0;
  const recorded = recordStatements(database, () => {
    const start = process.cpuUsage();
    queueMicrotask(() => {
      const { user, system } = process.cpuUsage(start);
      longest = Math.max(longest, (user + system) / 1_000);
    });
  });
  return {
    database: recorded,
    longest: () => longest,
    reset() {
      longest = 0;
    },
  };
}
