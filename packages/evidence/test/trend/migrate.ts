import assert from 'node:assert/strict';
import { evidenceMigrations } from '../../src/sql.ts';
import type { World } from '../world.ts';

/** Takes the migrations of runs back, and applies them again. */
export async function migrateUp({ opened }: World): Promise<void> {
  assert.ok(opened.kind !== 'memory');
  const at = evidenceMigrations.findIndex(({ name }) => name === 'evidence/0002_runs');
  assert.ok(at > 0);
  const statements = evidenceMigrations.slice(at).flatMap(({ statements: own }) => own ?? []);
  await opened.database.transaction(async (session) => {
    await session.execute('drop table probity_evidence_runs', []);
    for (const statement of statements) {
      const text = typeof statement === 'string' ? statement : statement[session.dialect];
      await session.execute(text, []);
    }
  });
}
