/** Rows of one kind by identifier, as one session sees them. */
export interface MemoryTable<Row extends object> {
  /** A copy of the row, or undefined. */
  get(id: string): Row | undefined;
  /** Copies of all rows that `matches` accepts, in order of insertion. */
  filter(matches: (row: Readonly<Row>) => boolean): Row[];
  /** Stores a copy of the row. */
  put(id: string, row: Row): void;
  delete(id: string): boolean;
  /** Deletes all rows that `matches` accepts. */
  deleteWhere(matches: (row: Readonly<Row>, id: string) => boolean): void;
}

/** Declaration of a table of the database in memory. */
export interface MemoryTableDefinition<Row extends object = object> {
  readonly name: string;
  /** The member of a row that holds the id of its tenant; null when rows belong to no tenant. */
  readonly tenantKey: string | null;
  /** The id of the tenant to which the row belongs, or null. */
  tenantOf(row: Readonly<Row>): string | null;
}

type StringMember<Row> = {
  [Name in keyof Row]-?: Row[Name] extends string ? Name : never;
}[keyof Row] &
  string;

/** What a table may declare: rows that name their organization belong to it. */
export type TenantKey<Row> = Row extends { readonly organizationId: string }
  ? 'organizationId'
  : StringMember<Row> | null;

/**
 * Declares a table of the database in memory. `tenantKey` is what the foreign key to `probity_tenants` is in
 * SQL: deleting a tenant deletes the rows whose member of this name holds its id. Null declares that
 * the rows belong to no tenant and outlive all of them.
 *
 * @example
 * const SCANS = defineMemoryTable<Scan>('scans', 'organizationId');
 * session.table(SCANS).get(id);
 */
export function defineMemoryTable<Row extends object>(
  name: string,
  tenantKey: TenantKey<Row>,
): MemoryTableDefinition<Row> {
  const key = tenantKey as (keyof Row & string) | null;
  return { name, tenantKey: key, tenantOf: (row) => (key === null ? null : String(row[key])) };
}
