import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createMemoryInvoices, createMemorySubscriptions } from './billing/memory.ts';
import { createMemoryApiKeys, createMemoryScimTokens } from './credentials/memory.ts';
import { createMemoryInvitations, createMemoryMembers } from './members/memory.ts';
import { createMemoryOrganizations } from './organizations/memory.ts';
import { createMemoryAccounts } from './sign-in/memory/accounts.ts';
import { createMemorySignInFailures } from './sign-in/memory/failures.ts';
import { createMemoryPasswordResets } from './sign-in/memory/password-resets.ts';
import { createMemorySecondFactors } from './sign-in/memory/second-factors.ts';
import { createMemorySessions } from './sign-in/memory/sessions.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
import { createMemoryInstances, createMemoryUsage } from './usage/memory.ts';

/** The platform's storage in memory. */
export function createMemoryPlatformStorage(database: Database<MemorySession>): PlatformStorage {
  return bindStorage<MemorySession, PlatformReads, PlatformWrites>(database, (session) => ({
    ...createMemoryOrganizations(session),
    ...createMemoryMembers(session),
    ...createMemoryInvitations(session),
    ...createMemoryApiKeys(session),
    ...createMemoryScimTokens(session),
    ...createMemoryAccounts(session),
    ...createMemorySessions(session),
    ...createMemorySignInFailures(session),
    ...createMemorySecondFactors(session),
    ...createMemoryPasswordResets(session),
    ...createMemorySubscriptions(session),
    ...createMemoryInvoices(session),
    ...createMemoryUsage(session),
    ...createMemoryInstances(session),
  }));
}
