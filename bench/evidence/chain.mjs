// A chain of many records: how long it is verified, listed and counted, and how long the event loop waits for it.
// node evidence/chain.mjs [RECORDS]

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import {
  contextOf,
  createRuntime,
  createSecretBox,
  createTenants,
  OUTSIDE_REQUEST,
  systemRandom,
} from '../../packages/core/dist/src/index.js';
import {
  coreMigrations,
  createSqliteDatabase,
  migrate,
} from '../../packages/core/dist/src/sql/index.js';
import { toCsvLine } from '../../packages/evidence/dist/src/exports/csv.js';
import { toJsonLine } from '../../packages/evidence/dist/src/exports/json-lines.js';
import {
  createEvidenceAppender,
  matchObligations,
} from '../../packages/evidence/dist/src/index.js';
import { createEvidenceCapability } from '../../packages/evidence/dist/src/koa.js';
import {
  createSqlEvidenceStorage,
  evidenceMigrations,
} from '../../packages/evidence/dist/src/sql.js';

const count = Number(process.argv[2] ?? 1_000_000);
const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
const database = createSqliteDatabase({ path: join(folder, 'bench.db') });
try {
  await migrate(database, [...coreMigrations, ...evidenceMigrations]);
  const runtime = createRuntime({ database, secretBox: createSecretBox([systemRandom(32)]) });
  const storage = createSqlEvidenceStorage(database);
  const { services } = createEvidenceCapability(runtime, { storage });
  const context = contextOf({ organizationId: 'org_bench' });
  await createTenants(database).ensure('org_bench');
  const { id } = await services.aiSystems.create(context, { name: 'Assistant', riskClass: 'high' });
  await measure(`append ${count} records`, () => append(id));
  const page = { limit: 50, offset: 0 };
  const obligationIds = ['soc2-cc8-1'];
  await measure('verify', () => services.verify(context));
  await measure('list', () => services.records.list(context, {}, page));
  await measure('list, last page', () =>
    services.records.list(context, {}, { limit: 50, offset: count - 50 }),
  );
  await measure('list of an AI system', () =>
    services.records.list(context, { aiSystemId: id }, page),
  );
  await measure('list of an obligation', () =>
    services.records.list(context, { obligationIds }, page),
  );
  await measure('list of a label', () =>
    services.records.list(context, { labels: [['run', '7']] }, page),
  );
  await measure('list with a text', () => services.records.list(context, { q: 'absent' }, page));
  await measure('coverage', () => services.coverage.list(context, {}, page));

  await measure('export as JSON Lines', async () =>
    write(await services.exports.chain(context), toJsonLine),
  );
  await measure('export as CSV', async () =>
    write(await services.exports.records(context, {}), toCsvLine),
  );
  await measure('export of a label as CSV', async () =>
    write(await services.exports.records(context, { labels: [['team', 'assistants']] }), toCsvLine),
  );

  /** @param {string} aiSystemId */
  async function append(aiSystemId) {
    const appender = createEvidenceAppender(runtime);
    const links = [['security'], ['accuracy', 'general testing'], ['general testing']].map(
      (signals) => matchObligations(/** @type {any} */ (signals)),
    );
    for (let start = 0; start < count; start += 500) {
      const records = Array.from({ length: Math.min(500, count - start) }, (_, index) =>
        toRecord(start + index, aiSystemId, links),
      );
      await storage.withTenantLock(OUTSIDE_REQUEST, 'org_bench', (tx) =>
        appender.append(tx, 'org_bench', records),
      );
    }
  }
} finally {
  await database.close();
  rmSync(folder, { recursive: true });
}

/** @param {number} index @param {string} aiSystemId @param {readonly string[][]} links */
function toRecord(index, aiSystemId, links) {
  const id = randomUUID();
  return {
    ...{ id, organizationId: 'org_bench', evidenceType: 'evaltool_eval', source: 'evaltool' },
    title: `Failed test of openai:chat:gpt-${index % 7}`,
    content:
      'One test of the provider failed: the answer is not what the assertion asks for. '.repeat(3),
    metadata: {
      ...{ source: 'evaltool', findingType: 'test_failure', assertionType: 'llm-rubric' },
      ...{ provider: `openai:chat:gpt-${index % 7}`, score: (index % 100) / 100 },
      gradingReason: 'Levenshtein distance 20 is greater than threshold 3',
    },
    aiSystemId: index % 3 === 0 ? aiSystemId : null,
    labels: { team: 'assistants', run: `${Math.floor(index / 500)}` },
    obligationIds: links[index % links.length] ?? [],
    ...{ idempotencyKey: id, occurredAt: new Date(), createdAt: new Date() },
  };
}

/**
 * @template Item
 * @param {AsyncIterable<readonly Item[]>} slices
 * @param {(item: Item) => string} toLine
 */
async function write(slices, toLine) {
  for await (const slice of slices) Buffer.from(slice.map(toLine).join(''));
}

/** @param {string} name @param {() => Promise<any>} work */
async function measure(name, work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  delay.enable();
  const result = await work();
  delay.disable();
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const found = result?.total ?? result?.records ?? '';
  console.log(
    `${name.padEnd(24)} ${(ms / 1000).toFixed(2).padStart(8)} s  CPU ${((user + system) / 1e6).toFixed(2).padStart(7)} s` +
      `  longest wait ${(delay.max / 1e6).toFixed(0).padStart(4)} ms  p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms  ${found}`,
  );
}
