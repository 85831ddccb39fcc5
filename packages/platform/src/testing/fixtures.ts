import { createIds, systemClock, systemRandom } from '@probity/core';
import type { TestTenant } from '@probity/core/testing';
import type { BootstrapResult } from '../organizations/bootstrap.ts';
import { bootstrapOrganization } from '../organizations/bootstrap.ts';
import type { PlatformStorage } from '../organizations/storage.ts';

/** An organization with an active owner and an owner API key. */
export async function createTestOrganization(opened: {
  readonly platform: PlatformStorage;
}): Promise<BootstrapResult & TestTenant> {
  const dependencies = {
    storage: opened.platform,
    ids: createIds(),
    clock: systemClock,
    random: systemRandom,
  };
  const created = await bootstrapOrganization(dependencies, {
    organizationName: 'Test',
    ownerEmail: 'owner@example.com',
    plan: 'enterprise',
  });
  return { ...created, memberId: created.ownerId };
}
