// A day of many scans summed up: time, CPU, memory, and how long the event loop waits for it.
// node governance/summaries.mjs [SCANS]

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { OUTSIDE_REQUEST } from '../../packages/core/dist/src/index.js';
import { createSqlGovernanceStorage } from '../../packages/governance/dist/src/sql.js';
import { summarizeDay } from '../../packages/governance/dist/src/summaries/summarize.js';
import { organizationId, withScanDatabase } from './scan-database.mjs';

const count = Number(process.argv[2] ?? 1_000_000);
const SYSTEMS = Array.from(
  { length: 20 },
  (_, at) => `01890a5d-ac96-774b-bcce-b3020990${String(at).padStart(4, '0')}`,
);
const DAY = new Date('2026-01-01T00:00:00.000Z');
await withScanDatabase(run);

async function run(database) {
  const storage = createSqlGovernanceStorage(database);
  const alerts = await fill(storage);
  global.gc?.();
  const before = process.memoryUsage();
  let [heap, rss] = [before.heapUsed, before.rss];
  const watch = setInterval(() => {
    const now = process.memoryUsage();
    [heap, rss] = [Math.max(heap, now.heapUsed), Math.max(rss, now.rss)];
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const { signal } = new AbortController();
  const summaries = await summarizeDay(storage, organizationId, DAY, signal);
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  clearInterval(watch);
  const mib = (bytes) => Math.round(bytes / 1_048_576);
  const total = (of) => summaries.reduce((sum, each) => sum + of(each), 0);
  console.log({
    scans: `${total(({ scans }) => scans.total)} of ${count}`,
    alerts: `${total((each) => each.alerts.created)} of ${alerts}`,
    systems: summaries.length,
    ms: Math.round(performance.now() - start),
    cpuMs: Math.round((user + system) / 1_000),
    longestWaitMs: Math.round(delay.max / 1e6),
    heapMiB: `${mib(before.heapUsed)} before, ${mib(heap)} at most`,
    rssMiB: `${mib(before.rss)} before, ${mib(rss)} at most`,
  });
}

/** Scans over the day, one of ten with an alert. Returns the number of alerts. */
async function fill(storage) {
  let alerts = 0;
  for (let first = 0; first < count; first += 1_000) {
    await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (let number = first; number < Math.min(count, first + 1_000); number += 1) {
        const scan = scanOf(number);
        await tx.insertScan(scan);
        if (scan.findingCount === 0) continue;
        await tx.insertAlert(alertOf(scan));
        alerts += 1;
      }
    });
  }
  return alerts;
}

function scanOf(number) {
  const hasFinding = number % 10 === 0;
  const finding = {
    ...{ stage: 'pii_scanner', type: 'ssn', score: 0.95, field: 'response', start: 5, end: 16 },
    action: 'block',
  };
  return {
    ...{ id: `scn_${String(number).padStart(9, '0')}`, organizationId, memberId: 'mem_1' },
    ...{ keyId: `key_${number % 5}`, verdict: hasFinding ? 'blocked' : 'allowed' },
    findings: hasFinding ? [finding] : [],
    violation: hasFinding ? { code: 'PII_DETECTED', policyId: 'pol_builtin', reason: 'SSN' } : null,
    aiSystemId: SYSTEMS[number % SYSTEMS.length],
    scores: { pii: hasFinding ? 0.95 : 0, injection: 0.1, toxicity: 0.1, hallucination: null },
    findingCount: hasFinding ? 1 : 0,
    policies: [{ id: 'pol_builtin', version: 1, mode: 'enforce' }],
    ...{ monitored: [], namedPolicyIds: null, facts: null, metadata: {}, promptHash: null },
    ...{ responseHash: 'b'.repeat(64), contextHash: null, durationMs: 1 },
    createdAt: new Date(DAY.getTime() + Math.floor((number / count) * 86_400_000)),
  };
}

function alertOf({ id, aiSystemId, createdAt }) {
  return {
    ...{ id: `alr_${id.slice(4)}`, organizationId, type: 'pii', severity: 'high' },
    ...{ status: 'open', message: 'An SSN was found.', scanId: id, aiSystemId, createdAt },
    ...{ acknowledgedAt: null, acknowledgedBy: null, assigneeId: null },
    ...{ resolvedAt: null, resolution: null, resolvedBy: null },
  };
}
