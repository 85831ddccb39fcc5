import { sql } from 'kysely';
import { countChanges } from '../../sql/count-changes.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { TenantReads, TenantWrites } from '../storage.ts';

/** A table with a column `organization_id`, and one that its rows refer to; null for none. */
interface TableReference {
  name: string;
  target: string | null;
}

const LIST_TABLES = {
  sqlite: `select m.name as name, f."table" as target
    from sqlite_master as m left join pragma_foreign_key_list(m.name) as f
    where m.type = 'table' and m.name like 'probity\\_%' escape '\\' and exists (
      select 1 from pragma_table_info(m.name) as c where c.name = 'organization_id'
    )
    order by m.name, f."table"`,
  postgres: `select c.relname as name, target.relname as target
    from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid
    left join pg_catalog.pg_constraint as f on f.conrelid = c.oid and f.contype = 'f'
    left join pg_catalog.pg_class as target on target.oid = f.confrelid
    where c.relkind = 'r' and n.nspname = current_schema() and c.relname like 'probity\\_%'
      and a.attname = 'organization_id' and not a.attisdropped
    order by c.relname, target.relname`,
} as const;

/** The rows of tenants in the tables of all packages, on a SQL session. */
export function createTenantTables(
  session: SqlSession,
): Pick<TenantReads & TenantWrites, 'listTenantTables' | 'deleteTenantRows'> {
  return {
    async listTenantTables() {
      const { rows } = await session.execute<TableReference>(LIST_TABLES[session.dialect], []);
      return referringFirst(rows);
    },
    deleteTenantRows(table, id, limit) {
      const place = sql.ref(session.dialect === 'sqlite' ? 'rowid' : 'ctid');
      const rows = sql`
        select ${place} from ${sql.table(table)} where organization_id = ${id} limit ${limit}`;
      // The planner looks up the places in an array one by one; for a subquery it may read the table.
      const isChosen =
        session.dialect === 'sqlite'
          ? sql<boolean>`${place} in (${rows})`
          : sql<boolean>`${place} = any(array(${rows}))`;
      const deletion = session.kysely<Record<string, object>>().deleteFrom<string>(table);
      return countChanges(deletion.where(isChosen));
    },
  };
}

/** The tables, each before those that it refers to: a deletion of rows then deletes no others. */
function referringFirst(references: readonly TableReference[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const { name } of references) targets.set(name, new Set());
  for (const { name, target } of references) {
    if (target !== null && target !== name && targets.has(target)) targets.get(name)?.add(target);
  }
  const ordered: string[] = [];
  const open = new Set<string>();
  const visit = (name: string) => {
    if (!targets.has(name) || ordered.includes(name) || open.has(name)) return;
    open.add(name);
    for (const target of targets.get(name) ?? []) visit(target);
    ordered.unshift(name);
  };
  for (const name of [...targets.keys()].sort()) visit(name);
  return ordered;
}
