import { createSqlAudit } from '../audit/sql.ts';
import { createSqlEvents, createSqlOutbox } from '../events/sql.ts';
import { createSqlIdempotency } from '../idempotency/sql.ts';
import type { JobSignal } from '../jobs/signal.ts';
import { createFailedJobReads, createFailedJobWrites } from '../jobs/sql/failed-jobs.ts';
import { createJobReads, createJobWrites } from '../jobs/sql/jobs.ts';
import { createSqlScopedTokens } from '../scoped-tokens/sql.ts';
import type { KernelOperations } from '../storage/database.ts';
import { bindOnDemand } from '../storage/on-demand.ts';
import { createSqlTenants } from '../tenants/sql/tenants.ts';
import type { SqlSession } from './session.ts';

/** Creates the function that returns the kernel's operations on a SQL session. */
export function createSqlKernel(signal: JobSignal): (session: SqlSession) => KernelOperations {
  return bindOnDemand<SqlSession, KernelOperations>([
    (session) => ({ session }),
    (session) => ({ outbox: createSqlOutbox(session, signal) }),
    createJobReads,
    (session) => createJobWrites(session, signal),
    createFailedJobReads,
    (session) => createFailedJobWrites(session, signal),
    createSqlEvents,
    createSqlAudit,
    createSqlIdempotency,
    createSqlTenants,
    createSqlScopedTokens,
  ]);
}
