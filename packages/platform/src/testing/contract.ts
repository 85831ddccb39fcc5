import { describe } from 'node:test';
import { describeBilling } from '../billing/contract.ts';
import { describeApiKeys } from '../credentials/contract.ts';
import { describeScimTokens } from '../credentials/scim-token-contract.ts';
import { describeMembers } from '../members/contract.ts';
import { describeInvitations } from '../members/invitation-contract.ts';
import { describeOrganizationChanges } from '../organizations/change-contract.ts';
import { describeOrganizations } from '../organizations/contract.ts';
import { describeSessions } from '../sign-in/contract.ts';
import { describeCredentials } from '../sign-in/credential-contract.ts';
import { describeUsage } from '../usage/contract.ts';
import type { PlatformContractTarget } from './targets.ts';

/**
 * The contract of `PlatformStorage` as node:test suites, one for each resource. Every adapter must
 * pass it; race tests use two connections where the database supports them.
 *
 * @example
 * for (const target of platformTargets({ createPostgres }))
 * describePlatformStorageContract(target);
 */
export function describePlatformStorageContract(target: PlatformContractTarget): void {
  describe(`${target.name}: platform storage`, () => {
    describeOrganizations(target);
    describeOrganizationChanges(target);
    describeMembers(target);
    describeInvitations(target);
    describeApiKeys(target);
    describeScimTokens(target);
    describeSessions(target);
    describeCredentials(target);
    describeBilling(target);
    describeUsage(target);
  });
}
