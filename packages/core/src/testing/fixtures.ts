import { systemClock } from '../clock.ts';
import type { CallContext, Principal } from '../context.ts';
import { createIds } from '../ids.ts';
import type { Role } from '../permissions.ts';
import type { BootstrapResult } from '../platform/bootstrap.ts';
import { bootstrapOrganization } from '../platform/bootstrap.ts';
import type { PlatformStorage } from '../platform/storage.ts';
import { systemRandom } from '../random.ts';
import type { ContractDatabase } from './contract-target.ts';

/** The platform's storage on a test database. */
export function platformStorageOf(opened: Pick<ContractDatabase, 'platform'>): PlatformStorage {
  return opened.platform;
}

/** An organization with an active owner and an owner API key. */
export function createTestOrganization(
  opened: Pick<ContractDatabase, 'platform'>,
): Promise<BootstrapResult> {
  const dependencies = {
    storage: opened.platform,
    ids: createIds(),
    clock: systemClock,
    random: systemRandom,
  };
  return bootstrapOrganization(dependencies, {
    organizationName: 'Test',
    ownerEmail: 'owner@example.com',
    plan: 'enterprise',
  });
}

/** The context of a call by the organization's owner, or by a key with another role. */
export function testContext(
  organization: Pick<BootstrapResult, 'organizationId' | 'ownerId'>,
  role: Role = 'owner',
): CallContext {
  const principal: Principal = {
    organizationId: organization.organizationId,
    memberId: organization.ownerId,
    keyId: 'key_test',
    role,
    plan: 'enterprise',
  };
  return { principal, requestId: 'req_test_request', address: '192.0.2.1' };
}
