import type { Page, PageOf, Storage, TransactionOf } from '@probity/core';
import type { PolicyVersion, StoredPolicy } from './types.ts';

/** Reads of policies. */
export interface PolicyReads {
  /** A number that changes with every change of the organization's policies; 0 while there was none. */
  policyGeneration(organizationId: string): Promise<number>;
  /** The organization's own policies, oldest first, ties by id. */
  listPolicies(organizationId: string): Promise<readonly StoredPolicy[]>;
  /** Null when the organization has no policy of its own with this id. */
  findPolicy(organizationId: string, id: string): Promise<StoredPolicy | null>;
  /** The versions of a policy, newest first; those of a deleted policy as well. */
  listPolicyVersions(
    organizationId: string,
    policyId: string,
    page: Page,
  ): Promise<PageOf<PolicyVersion>>;
}

/** Writes of policies. Each changes the generation of the organization, except `ensurePolicyVersion`. */
export interface PolicyWrites {
  insertPolicy(policy: StoredPolicy): Promise<void>;
  /** Replaces the organization's policy with the same id. */
  replacePolicy(policy: StoredPolicy): Promise<void>;
  /** Keeps the versions. Returns false when the organization has no policy of its own with this id. */
  deletePolicy(organizationId: string, id: string): Promise<boolean>;
  /** Stores a version, unless the policy has one of this number. */
  ensurePolicyVersion(version: PolicyVersion): Promise<void>;
}

/** Storage of policies. Policies and their versions are deleted with their organization. */
export type PolicyStorage = Storage<PolicyReads, PolicyWrites>;

/** The operations within a transaction of the storage. */
export type PolicyTransaction = TransactionOf<PolicyStorage>;
