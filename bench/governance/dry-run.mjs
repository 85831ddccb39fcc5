// Rules tried on many stored scans: the CPU that it takes, and how long the event loop waits for it.
// node governance/dry-run.mjs [SCANS]

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { contextOf, createRuntime, OUTSIDE_REQUEST } from '../../packages/core/dist/src/index.js';
import { createGovernance } from '../../packages/governance/dist/src/index.js';
import {
  createSqlGovernanceStorage,
  createSqlPolicyStorage,
  createSqlUpkeepStorage,
} from '../../packages/governance/dist/src/sql.js';
import { createPipeline } from '../../packages/pipeline/dist/src/index.js';
import { organizationId, withScanDatabase } from './scan-database.mjs';

const count = Number(process.argv[2] ?? 100_000);
await withScanDatabase(run);

async function run(database) {
  const storage = createSqlGovernanceStorage(database);
  await fill(storage);
  const governance = createGovernance(createRuntime({ database }), {
    storage,
    policyStorage: createSqlPolicyStorage(database),
    upkeepStorage: createSqlUpkeepStorage(database),
    pipeline: createPipeline(),
  });
  const rules = [
    { stage: 'pii_scanner', types: ['email'], action: 'block' },
    { stage: 'toxicity_scanner', threshold: 0.3, action: 'block' },
  ];
  const context = contextOf({ organizationId });
  const since = new Date(0);
  for (let round = 1; round <= 3; round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    const { scans, before, after, changed } = await governance.dryRuns.dryRun(context, {
      rules,
      since,
    });
    const { user, system } = process.cpuUsage(cpu);
    delay.disable();
    console.log({
      scans,
      changed,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      cpuMs: Math.round((user + system) / 1_000),
      ms: Math.round(performance.now() - start),
      longestWaitMs: Math.round(delay.max / 1e6),
    });
  }
}

/** Scans as they come: seven of ten without a finding, the others with one to three. */
async function fill(storage) {
  for (let first = 0; first < count; first += 1_000) {
    await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (let number = first; number < Math.min(count, first + 1_000); number += 1) {
        await tx.insertScan(scanOf(number));
      }
    });
  }
}

function scanOf(number) {
  const findings = Array.from({ length: number % 10 < 7 ? 0 : (number % 3) + 1 }, (_, index) => ({
    ...{ stage: 'pii_scanner', type: ['email', 'phone_number', 'ssn'][(number + index) % 3] },
    ...{ score: 0.5 + ((number * 7) % 50) / 100, field: 'response', start: 5, end: 20 },
    action: 'flag',
  }));
  const share = (factor) => ((number * factor) % 997) / 997;
  return {
    ...{ id: `scn_${String(number).padStart(9, '0')}`, organizationId, memberId: 'mem_1' },
    ...{ keyId: `key_${number % 5}`, verdict: 'allowed', findings, violation: null },
    scores: {
      ...{ pii: findings.length * 0.3, injection: share(13) * 0.6, toxicity: share(17) * 0.6 },
      hallucination: null,
    },
    findingCount: findings.length,
    policies: [{ id: 'pol_builtin', version: 1, mode: 'enforce' }],
    ...{ monitored: [], namedPolicyIds: null, facts: null, metadata: {}, promptHash: null },
    ...{ responseHash: 'b'.repeat(64), contextHash: null, durationMs: 1 },
    createdAt: new Date(1_767_225_600_000 + number),
  };
}
