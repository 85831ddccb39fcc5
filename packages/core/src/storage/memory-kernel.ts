import { createMemoryAudit } from '../audit/memory.ts';
import { createMemoryEvents, createMemoryOutbox } from '../events/memory.ts';
import { createMemoryIdempotency } from '../idempotency/memory.ts';
import { createMemoryJobs } from '../jobs/memory.ts';
import type { JobSignal } from '../jobs/signal.ts';
import { createMemoryScopedTokens } from '../scoped-tokens/memory.ts';
import { createMemoryTenants } from '../tenants/memory.ts';
import type { KernelOperations } from './database.ts';
import type { MemorySession } from './memory.ts';

/** The kernel's operations in memory. */
export function createMemoryKernel(session: MemorySession, signal: JobSignal): KernelOperations {
  const jobs = createMemoryJobs(session, signal);
  return {
    session,
    outbox: createMemoryOutbox(session, jobs),
    ...jobs,
    ...createMemoryEvents(session),
    ...createMemoryAudit(session),
    ...createMemoryIdempotency(session),
    ...createMemoryTenants(session),
    ...createMemoryScopedTokens(session),
  };
}
