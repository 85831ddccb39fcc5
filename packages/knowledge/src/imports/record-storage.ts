import type { Page, PageOf } from '@probity/core';
import type { ImportRecord } from './types.ts';

/** Reads of the records of imports. */
export interface ImportReads {
  /** The organization's imports, newest first, ties by descending id; without their refused rows. */
  listImports(organizationId: string, page: Page): Promise<PageOf<ImportRecord>>;
  /** Null when the organization has no such import. */
  findImport(organizationId: string, id: string): Promise<ImportRecord | null>;
}

/** Writes of the records of imports. */
export interface ImportWrites {
  insertImport(record: ImportRecord): Promise<void>;
  /** Stores counts, state and refused rows of an import, by its id. */
  updateImport(record: ImportRecord): Promise<void>;
  /** Deletes imports of all organizations that began before a time; at most `limit`. Returns how many. */
  deleteImports(before: Date, limit: number): Promise<number>;
}
