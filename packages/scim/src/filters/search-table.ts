import type { Fragment } from './fragment.ts';

/** How the values of a column are stored: texts folded unless the attribute is compared with case. */
export type ColumnValues = 'text' | 'boolean' | 'time';

/** What SQL compares for an attribute. */
interface SearchColumn {
  /** An expression on the row `r`. */
  readonly expression: Fragment;
  readonly values: ColumnValues;
  /** Whether every row has a value. */
  readonly isRequired?: boolean;
  /** Whether an index has the rows of an organization in the order of the values. */
  readonly isOrdered?: boolean;
}

/** A multi-valued complex attribute whose elements are rows. */
interface SearchRelation {
  /** What follows `from`, up to a condition that ties the rows to `r`. */
  readonly from: Fragment;
  /** Expressions of the sub-attributes, folded unless they are compared with case; null for those without values. */
  readonly columns: Readonly<Record<string, Fragment>>;
}

/** Equality by an index. */
interface SearchIndex {
  /** A condition on `r`, for the forms of a value and an organization. */
  readonly find: (values: readonly string[], organizationId: string) => Fragment;
  /** Whether at most one row meets it, the one with this value. */
  readonly isUnique: boolean;
}

/** A table of resources as filters see it. Paths are those of `printPath`. */
export interface SearchTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, SearchColumn>>;
  readonly relations: Readonly<Record<string, SearchRelation>>;
  /** Whether the table has a column `search` with the form of `toSearchable`. */
  readonly hasSearch: boolean;
  /**
   * Conditions on `r` include the organization where it is part of the index. Rows that do not match may meet them too. Values are folded as those of the columns.
   */
  readonly indexes: Readonly<Record<string, SearchIndex>>;
}
