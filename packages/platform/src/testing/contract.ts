import { describeStorage } from '@probity/core/testing';
import { billingPromises } from '../billing/contract.ts';
import { apiKeyPromises } from '../credentials/contract.ts';
import { scimTokenPromises } from '../credentials/scim-token-contract.ts';
import { mailPromises } from '../mails/contract.ts';
import { memberPromises } from '../members/contract.ts';
import { invitationPromises } from '../members/invitation-contract.ts';
import { organizationChangePromises } from '../organizations/change-contract.ts';
import { organizationPromises } from '../organizations/contract.ts';
import { sessionPromises } from '../sign-in/contract.ts';
import { credentialPromises } from '../sign-in/credential-contract.ts';
import { usagePromises } from '../usage/contract.ts';
import { instanceUsagePromises } from '../usage/instance-usage-contract.ts';
import type { PlatformContractTarget } from './targets.ts';

/**
 * The contract of `PlatformStorage` as tests for `node:test`. Every adapter must pass it; race tests
 * use two connections where the database supports them.
 *
 * @example
 * for (const target of platformTargets({ createPostgres })) {
 *   describePlatformStorageContract(target);
 * }
 */
export function describePlatformStorageContract(target: PlatformContractTarget): void {
  describeStorage(target, organizationPromises);
  describeStorage(target, organizationChangePromises);
  describeStorage(target, memberPromises);
  describeStorage(target, invitationPromises);
  describeStorage(target, mailPromises);
  describeStorage(target, apiKeyPromises);
  describeStorage(target, scimTokenPromises);
  describeStorage(target, sessionPromises);
  describeStorage(target, credentialPromises);
  describeStorage(target, billingPromises);
  describeStorage(target, usagePromises);
  describeStorage(target, instanceUsagePromises);
}
