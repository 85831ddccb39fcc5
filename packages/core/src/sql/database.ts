import { ProbityError } from '../errors.ts';
import type { JobSignal } from '../jobs/signal.ts';
import type { Database, KernelOperations, TransactionOptions } from '../storage/database.ts';
import { lockTenantRow } from '../tenants/sql/tenants.ts';
import { isForeignKeyViolation } from './dialect.ts';
import { createSqlKernel } from './kernel.ts';
import { onceKysely } from './kysely-session.ts';
import { missingTableError, missingTableOf } from './missing-table.ts';
import type { ExecuteSql, SqlDialect, SqlSession } from './session.ts';
import { createWriteWatch } from './write-watch.ts';

/** A SQLite or PostgreSQL database. */
export interface SqlDatabase extends Database<SqlSession> {
  readonly dialect: SqlDialect;
}

/** The adapter's part of a database; everything else is the same for all SQL databases. */
export interface SqlDatabaseParts {
  readonly dialect: SqlDialect;
  readonly jobSignal: JobSignal;
  readonly reader: SqlSession;
  transaction<T>(
    work: (session: SqlSession) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  close(): Promise<void>;
}

/** Creates a database from an adapter's parts. */
export function assembleDatabase(parts: SqlDatabaseParts): SqlDatabase {
  const watch = createWriteWatch(parts.transaction);
  const createKernel = createSqlKernel(parts.jobSignal);
  const kernels = new WeakMap<SqlSession, KernelOperations>();
  return {
    ...parts,
    reader: nameErrors(parts.reader),
    transaction: (work, options) =>
      parts.transaction(work, options).catch((error: unknown) => {
        watch.note(error);
        return nameDatabaseError(error);
      }),
    lockTenant: lockTenantRow,
    kernel(session) {
      const kernel = kernels.get(session) ?? createKernel(session);
      kernels.set(session, kernel);
      return kernel;
    },
    async ping() {
      await parts.reader.execute('select 1', []);
      await watch.check();
    },
  };
}

function nameErrors(reader: SqlSession): SqlSession {
  const execute: ExecuteSql = <Row>(...statement: Parameters<ExecuteSql>) =>
    reader.execute<Row>(...statement).catch(nameDatabaseError);
  return { ...reader, execute, kysely: onceKysely(reader.dialect, execute) };
}

/**
 * Reports a reference to a deleted row, such as the tenant, as a conflict, and for a table that is
 * missing what creates it; any other error stays as it is.
 */
export function nameDatabaseError(error: unknown): never {
  if (isForeignKeyViolation(error)) {
    const message = 'The organization or a related resource no longer exists.';
    throw new ProbityError('conflict', message, { cause: error });
  }
  const table = missingTableOf(error);
  throw table === undefined ? error : missingTableError(table, error);
}
