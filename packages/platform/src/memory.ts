import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { combineResources } from '@probity/core/internal';
import { createMemoryInvoices, createMemorySubscriptions } from './billing/memory.ts';
import { createMemoryApiKeys, createMemoryScimTokens } from './credentials/memory.ts';
import { createMemoryMailCounts } from './mails/memory.ts';
import { createMemoryInvitations, createMemoryMembers } from './members/memory.ts';
import { createMemoryOrganizations } from './organizations/memory.ts';
import { createMemoryAccounts } from './sign-in/memory/accounts.ts';
import { createMemorySignInFailures } from './sign-in/memory/failures.ts';
import { createMemoryPasswordResets } from './sign-in/memory/password-resets.ts';
import { createMemorySecondFactors } from './sign-in/memory/second-factors.ts';
import { createMemorySessions } from './sign-in/memory/sessions.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
import { createMemoryInstances, createMemoryUsage } from './usage/memory.ts';

const { bind, bindOnDemand } = combineResources(
  createMemoryOrganizations,
  createMemoryMembers,
  createMemoryInvitations,
  createMemoryMailCounts,
  createMemoryApiKeys,
  createMemoryScimTokens,
  createMemoryAccounts,
  createMemorySessions,
  createMemorySignInFailures,
  createMemorySecondFactors,
  createMemoryPasswordResets,
  createMemorySubscriptions,
  createMemoryInvoices,
  createMemoryUsage,
  createMemoryInstances,
);

/** Creates the platform's in-memory storage. */
export function createMemoryPlatformStorage(database: Database<MemorySession>): PlatformStorage {
  return bindStorage<MemorySession, PlatformReads, PlatformWrites>(database, bind, bindOnDemand);
}
