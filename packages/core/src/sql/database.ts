import { ProbityError } from '../errors.ts';
import type { JobSignal } from '../job-signal.ts';
import type { Database, KernelWrites } from '../storage.ts';
import { isForeignKeyViolation } from './dialect.ts';
import { createSqlKernel, lockOrganizationRow } from './kernel.ts';
import type { SqlDialect, SqlSession } from './session.ts';
import { createWriteWatch } from './write-watch.ts';

/** A SQLite or PostgreSQL database. */
export interface SqlDatabase extends Database<SqlSession> {
  readonly dialect: SqlDialect;
}

/** What an adapter brings; everything else is the same for all SQL databases. */
export interface SqlDatabaseParts {
  readonly dialect: SqlDialect;
  readonly jobSignal: JobSignal;
  readonly reader: SqlSession;
  transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Completes an adapter's parts to a database. */
export function assembleDatabase(parts: SqlDatabaseParts): SqlDatabase {
  const watch = createWriteWatch(parts.transaction);
  const kernels = new WeakMap<SqlSession, KernelWrites>();
  return {
    ...parts,
    transaction: (work) =>
      parts.transaction(work).catch((error: unknown) => {
        watch.note(error);
        return nameDeletion(error);
      }),
    lockOrganization: lockOrganizationRow,
    kernel(session) {
      const kernel = kernels.get(session) ?? createSqlKernel(session, parts.jobSignal);
      kernels.set(session, kernel);
      return kernel;
    },
    async ping() {
      await parts.reader.execute('select 1', []);
      await watch.check();
    },
  };
}

/**
 * A row that refers to one deleted since the request was let in, such as its organization, is no
 * failure of ours.
 */
function nameDeletion(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  const message = 'What the request belongs to was deleted meanwhile.';
  throw new ProbityError('conflict', message, { cause: error });
}
