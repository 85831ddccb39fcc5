import type { MemorySession } from '@probity/core';
import type { MemberKey } from '../types.ts';
import { isOf, tablesOf } from './tables.ts';

/** Deletes everything that a member signs in with. */
export function deleteSignInOf(session: MemorySession, key: MemberKey): void {
  const tables = tablesOf(session);
  for (const table of [tables.sessions(), tables.credentials(), tables.codes(), tables.resets()]) {
    table.deleteWhere((row) => isOf(row, key));
  }
}
