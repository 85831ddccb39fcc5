import assert from 'node:assert/strict';
import { evidenceMigrations } from '../../src/sql.ts';
import type { World } from '../world.ts';

/** Takes the migration of runs back, and applies it again. */
export async function migrateUp({ opened }: World): Promise<void> {
  assert.ok(opened.kind !== 'memory');
  const migration = evidenceMigrations.find(({ name }) => name === 'evidence/0002_runs');
  assert.ok(migration);
  await opened.database.transaction(async (session) => {
    await session.execute('drop table probity_evidence_runs', []);
    for (const statement of migration.statements) {
      const text = typeof statement === 'string' ? statement : statement[session.dialect];
      await session.execute(text, []);
    }
  });
}
