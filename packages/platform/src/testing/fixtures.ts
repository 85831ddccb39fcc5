import type { Database } from '@probity/core';
import { createRuntime } from '@probity/core';
import type { TestTenant } from '@probity/core/testing';
import type { BootstrapResult } from '../organizations/bootstrap.ts';
import { bootstrapOrganization } from '../organizations/bootstrap.ts';
import type { PlatformStorage } from '../storage.ts';

/** Creates an organization with an active owner and an owner API key. */
export async function createTestOrganization({
  database,
  storage,
}: {
  readonly database: Database;
  readonly storage: PlatformStorage;
}): Promise<BootstrapResult & TestTenant> {
  const created = await bootstrapOrganization(
    createRuntime({ database }),
    { storage },
    { organizationName: 'Test', ownerEmail: 'owner@example.com', plan: 'enterprise' },
  );
  return { ...created, memberId: created.ownerId };
}
