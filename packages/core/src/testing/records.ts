import { randomBytes } from 'node:crypto';
import type { NewAuditEntry } from '../audit/types.ts';
import type { EventRecord } from '../events/events.ts';
import { createIds } from '../ids.ts';
import type { ClaimRequest, LeasedJob, NewJob } from '../jobs/storage.ts';
import type { ScopedToken } from '../scoped-tokens/types.ts';
import type { Database } from '../storage/database.ts';

/** The base time of contract tests. */
export const START = new Date('2026-01-01T00:00:00.000Z');

/** `ms` milliseconds after {@link START}. */
export function at(ms: number): Date {
  return new Date(START.getTime() + ms);
}

const ids = createIds();

/** A job of the queue `test`, due at {@link START}. */
export function newJob(given: Partial<NewJob> = {}): NewJob {
  return {
    id: ids.next('job'),
    queue: 'test',
    tenantId: 'tenant',
    group: 'group',
    payload: {},
    dueAt: START,
    ...given,
  };
}

/** An event of the organization. */
export function newEvent(
  organizationId: string,
  given: Partial<EventRecord<'policy.violated'>> = {},
): EventRecord<'policy.violated'> {
  return {
    id: ids.next('evt'),
    organizationId,
    type: 'policy.violated',
    data: { policyId: 'pol_1', violationReason: 'grün ✓ "x"', scanId: 'scn_1', action: 'block' },
    requestId: null,
    createdAt: START,
    ...given,
  };
}

/** A token of limited scope, made by an API key, that expires a minute after {@link START}. */
export function newScopedToken(
  organizationId: string,
  given: Partial<ScopedToken> = {},
): ScopedToken {
  return {
    id: ids.next('ptk'),
    kind: 'ppt_',
    tokenHash: randomBytes(32).toString('hex'),
    organizationId,
    issuer: { organizationId, memberId: 'mem_1', keyId: 'key_1', role: 'admin', plan: 'starter' },
    grant: { scopes: ['webhooks:view'], resourceIds: null },
    createdAt: START,
    expiresAt: at(60_000),
    ...given,
  };
}

/** An audit entry of the organization by the system. */
export function newAuditEntry(
  organizationId: string,
  given: Partial<NewAuditEntry> = {},
): NewAuditEntry {
  return {
    id: ids.next('aud'),
    organizationId,
    action: 'thing.changed',
    actor: { type: 'system', id: 'test', credentialId: null },
    target: { type: 'thing', id: 'thing_1' },
    before: { size: 1 },
    after: { size: 2 },
    address: null,
    requestId: null,
    createdAt: START,
    ...given,
  };
}

/** Records entries in one transaction. */
export function recordAudit(database: Database, ...entries: NewAuditEntry[]): Promise<void> {
  return database.transaction(async (session) => {
    for (const entry of entries) await database.kernel(session).recordAudit(entry);
  });
}

/** Stores jobs in a transaction of their own. */
export function enqueue(database: Database, ...jobs: NewJob[]): Promise<void> {
  return database.transaction((session) => database.kernel(session).enqueueJobs(jobs));
}

/** Claims jobs of the queue `test` at {@link START} for ten seconds, unless overridden. */
export function claim(
  database: Database,
  leaseToken: string,
  given: Partial<ClaimRequest> = {},
): Promise<LeasedJob[]> {
  const now = given.now ?? START;
  return database.transaction((session) =>
    database.kernel(session).claimJobs({
      queue: 'test',
      now,
      leaseUntil: new Date(now.getTime() + 10_000),
      leaseToken,
      limit: 10,
      groupCapacity: () => 100,
      ...given,
    }),
  );
}

/** Number of committed jobs of a queue. */
export function countJobs(database: Database, queue = 'test'): Promise<number> {
  return database.kernel(database.reader).countJobs(queue);
}
