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

/** What an import has done. */
export interface KnowledgeImport {
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
