import type { CallContext, RolePrincipal } from '../context.ts';
import type { Role } from '../contract/permissions.ts';
import { createIds } from '../ids.ts';
import type { Database } from '../storage/database.ts';
import { createTenants } from '../tenants/tenants.ts';

/** A tenant in a test's database, and the calling member. */
export interface TestTenant {
  readonly organizationId: string;
  readonly memberId: string;
}

const ids = createIds();

/** Stores a new tenant. */
export async function createTestTenant(opened: {
  readonly database: Database;
}): Promise<TestTenant> {
  const tenant = { organizationId: ids.next('org'), memberId: ids.next('mem') };
  await createTenants(opened.database).ensure(tenant.organizationId);
  return tenant;
}

/** Creates a tenant in a test's database, with the context of a call by its owner. */
export async function withTenant(opened: {
  readonly database: Database;
}): Promise<TestTenant & { readonly context: TestContext }> {
  const tenant = await createTestTenant(opened);
  return { ...tenant, context: testContext(tenant) };
}

/** The context of a call by a member with a role. */
export type TestContext = CallContext & { readonly principal: RolePrincipal };

/** The context of a call by the tenant's member; `role` defaults to the owner's. */
export function testContext(tenant: TestTenant, role: Role = 'owner'): TestContext {
  const principal: RolePrincipal = {
    organizationId: tenant.organizationId,
    memberId: tenant.memberId,
    keyId: 'key_test',
    role,
    plan: 'enterprise',
  };
  return { principal, requestId: 'req_test_request', address: '192.0.2.1' };
}
