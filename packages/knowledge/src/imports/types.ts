import type { NewNugget } from '../nuggets/types.ts';

/** Form of a file that is imported. */
export type ImportFormat = 'csv' | 'json';

/** A row that cannot be stored. */
export interface RefusedRow {
  /**
   * Where the row begins: in CSV the line of the file, from 1, with the header; in JSON the place in the
   * array, from 1.
   */
  readonly line: number;
  /** The member at fault; null for the row as a whole. */
  readonly field: string | null;
  readonly message: string;
}

/** A row of a file: a nugget, or what is wrong with it. */
export type ReadRow =
  | { readonly line: number; readonly nugget: NewNugget }
  | { readonly line: number; readonly faults: readonly RefusedRow[] };

/** How a file is imported. */
export interface ImportOptions {
  readonly format: ImportFormat;
  /** Whether one bad row refuses the file, and all rows are stored in one transaction; default false. */
  readonly strict?: boolean | undefined;
}

/** States of imports. */
export const IMPORT_STATUSES = ['running', 'interrupted', 'completed', 'failed'] as const;

/**
 * `running` while rows are read; `interrupted` when it has read none for five minutes, since its process was killed or
 * its file does not arrive; `failed` when the file was refused or its connection broke.
 */
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** An import and how far it is; it is brought up to date with each batch that is read. */
export interface ImportRecord extends KnowledgeImport {
  readonly organizationId: string;
  readonly format: ImportFormat;
  readonly isStrict: boolean;
  readonly status: ImportStatus;
  /** Why the file was not read to its end; null for no reason. */
  readonly problem: string | null;
  readonly createdAt: Date;
  /** When the last batch was read. */
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

/** What an import has done. */
export interface KnowledgeImport {
  readonly id: string;
  /** Rows of the file, without the header. */
  readonly rows: number;
  /** Nuggets that are new. */
  readonly created: number;
  /** Rows whose claim and source the knowledge base had, with another category or confidence. */
  readonly updated: number;
  /** Rows that the knowledge base had as they are. */
  readonly unchanged: number;
  /** Rows that were refused. */
  readonly failed: number;
  /** Why rows were refused: of the first 1,000 of them. */
  readonly errors: readonly RefusedRow[];
}
