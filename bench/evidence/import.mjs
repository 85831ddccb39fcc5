// npm run import -w @probity/bench [-- ROUNDS]
// CPU of an import of 500 results in 10 MB, beside JSON.parse of the same body and one bulk insert of as many rows, in
// turns within one process. The machine is shared, so the ratios count.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { contextOf, createRuntime, createTenants } from '../../packages/core/dist/src/index.js';
import {
  coreMigrations,
  createSqliteDatabase,
  migrate,
} from '../../packages/core/dist/src/sql/index.js';
import { readImportBody } from '../../packages/evaltool/dist/src/index.js';
import { createEvidenceCapability } from '../../packages/evidence/dist/src/koa.js';
import {
  createSqlEvidenceStorage,
  evidenceMigrations,
} from '../../packages/evidence/dist/src/sql.js';
import { median } from '../shared/measure.mjs';
import { openSqlite } from '../shared/sqlite.mjs';
import { bodyOf, MAX_BYTES, RESULTS } from './body.mjs';

const rounds = Number(process.argv[2] ?? 15);
const WARM_UP = 12;
const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const database = createSqliteDatabase({ path: join(folder, 'probity.db') });
try {
  await migrate(database, [...coreMigrations, ...evidenceMigrations]);
  await createTenants(database).ensure('org_bench');
  await run();
} finally {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const storage = createSqlEvidenceStorage(database);
  const { services } = createEvidenceCapability(createRuntime({ database }), { storage });
  const context = contextOf({ organizationId: 'org_bench' });
  const bare = await openBare();
  const cpu = { parse: [], insert: [], read: [], store: [] };
  const delays = monitorEventLoopDelay({ resolution: 1 });
  let created = 0;
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const { text, chunks } = bodyOf(round + WARM_UP);
    const add = (name, ms) => round >= 0 && cpu[name].push(ms);
    if (round === 0) delays.enable();
    delays.reset();
    const [{ evaluation }, read] = await cpuOf(() => readImportBody(chunks));
    const [result, store] = await cpuOf(() =>
      services.imports.importEvaluation(context, { evaluation }),
    );
    delays.disable();
    const [, parse] = await cpuOf(() => JSON.parse(text.toString('utf8')));
    const rows = await rowsOf(storage, result.evidenceIds);
    const [, insert] = await cpuOf(() => bare(rows));
    add('read', read);
    add('store', store);
    add('parse', parse);
    add('insert', insert);
    created = result.evidenceCreated;
    if (round >= 0) delays.enable();
  }
  const of = (name) => median(cpu[name]);
  const [baseline, ours] = [of('parse') + of('insert'), of('read') + of('store')];
  console.table({
    'JSON.parse': { 'CPU ms': of('parse') },
    'bulk insert': { 'CPU ms': of('insert') },
    'read, redact, reduce': { 'CPU ms': of('read') },
    'records, links, chain, commit': { 'CPU ms': of('store') },
  });
  console.log(
    `${RESULTS} results, ${MAX_BYTES} bytes at most, ${created} records: ${(ours / baseline).toFixed(2)} times (bar 5)`,
  );
  console.log(
    `longest delay of the event loop in the last import: ${(delays.max / 1e6).toFixed(1)} ms (bar 50)`,
  );
}

/** The records of an import as a table without a chain would have them. */
async function rowsOf(storage, ids) {
  const rows = [];
  for (const id of ids) {
    const { idempotencyKey, title, content, metadata, obligationIds } = await storage.findEvidence(
      'org_bench',
      id,
    );
    rows.push({
      values: [id, idempotencyKey, title, content, JSON.stringify(metadata)],
      obligationIds,
    });
  }
  return rows;
}

/** Inserts the same rows as an importer without a chain would: records and their links, in one transaction. */
async function openBare() {
  const bare = await openSqlite(join(folder, 'bare.db'));
  bare.exec(
    'create table records (id text primary key, key text unique, title text, content text, metadata text);' +
      'create table links (record text, obligation text, primary key (record, obligation));',
  );
  const record = bare.prepare('insert into records values (?, ?, ?, ?, ?)');
  const link = bare.prepare('insert into links values (?, ?)');
  return bare.transaction((rows) => {
    for (const { values, obligationIds } of rows) {
      record.run(...values);
      for (const obligation of obligationIds) link.run(values[0], obligation);
    }
  });
}

/** @returns the result and the CPU time of the process in ms, user and system */
async function cpuOf(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1_000];
}
