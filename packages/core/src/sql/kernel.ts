import { createSqlAudit } from '../audit/sql.ts';
import { createSqlEvents, createSqlOutbox } from '../events/sql.ts';
import { createSqlIdempotency } from '../idempotency/sql.ts';
import type { JobSignal } from '../jobs/signal.ts';
import { createFailedJobReads, createFailedJobWrites } from '../jobs/sql/failed-jobs.ts';
import { createJobReads, createJobWrites } from '../jobs/sql/jobs.ts';
import { createSqlScopedTokens } from '../scoped-tokens/sql.ts';
import type { KernelOperations } from '../storage/database.ts';
import { createSqlTenants } from '../tenants/sql/tenants.ts';
import type { SqlSession } from './session.ts';

/** The kernel's operations on a SQL session. */
export function createSqlKernel(session: SqlSession, signal: JobSignal): KernelOperations {
  return {
    session,
    outbox: createSqlOutbox(session, signal),
    ...createJobReads(session),
    ...createJobWrites(session, signal),
    ...createFailedJobReads(session),
    ...createFailedJobWrites(session, signal),
    ...createSqlEvents(session),
    ...createSqlAudit(session),
    ...createSqlIdempotency(session),
    ...createSqlTenants(session),
    ...createSqlScopedTokens(session),
  };
}
