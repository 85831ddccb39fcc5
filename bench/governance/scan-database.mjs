// A database of one organization with the tables of governance, for benches that fill it with scans.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenants } from '../../packages/core/dist/src/index.js';
import {
  coreMigrations,
  createSqliteDatabase,
  migrate,
} from '../../packages/core/dist/src/sql/index.js';
import { governanceMigrations } from '../../packages/governance/dist/src/sql.js';

export const organizationId = 'org_bench';

/** Runs with the database, and removes it afterwards. */
export async function withScanDatabase(run) {
  const folder = await mkdtemp(join(tmpdir(), 'probity-bench-'));
  const database = createSqliteDatabase({ path: join(folder, 'probity.db') });
  try {
    await migrate(database, [...coreMigrations, ...governanceMigrations]);
    await createTenants(database).ensure(organizationId);
    await run(database);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
