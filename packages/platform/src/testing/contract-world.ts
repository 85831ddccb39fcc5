import type { TransactionOf } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { ContractCheck } from '@probity/core/testing';
import type { Member } from '../members/types.ts';
import type { Organization } from '../organizations/types.ts';
import type { PlatformStorage } from '../storage.ts';
import { newMember, newOrganization } from './records.ts';
import type { PlatformContractDatabase } from './targets.ts';

/** Fixtures of a contract test. */
export interface ContractWorld {
  readonly opened: PlatformContractDatabase;
  readonly storage: PlatformStorage;
  /** Stores an organization. */
  addOrganization(given?: Partial<Organization>): Promise<Organization>;
  /** Stores a member, in a new organization unless `given` names one. */
  addMember(given?: Partial<Member>): Promise<Member>;
  /** Runs writes in one transaction. */
  write<T>(work: (tx: TransactionOf<PlatformStorage>) => Promise<T>): Promise<T>;
}

type PlatformCheck = ContractCheck<PlatformContractDatabase>;

/** A check that is run with fixtures. */
export function withWorld(check: (world: ContractWorld) => Promise<void>): PlatformCheck {
  return (opened) => check(createWorld(opened));
}

/** A check that is run with fixtures and a new organization. */
export function withOrganization(
  check: (world: ContractWorld, organizationId: string) => Promise<void>,
): PlatformCheck {
  return withWorld(async (world) => check(world, (await world.addOrganization()).id));
}

function createWorld(opened: PlatformContractDatabase): ContractWorld {
  const { storage } = opened;
  const write: ContractWorld['write'] = (work) => storage.transaction(OUTSIDE_REQUEST, work);
  const addOrganization: ContractWorld['addOrganization'] = async (given) => {
    const organization = newOrganization(given);
    await write((tx) => tx.insertOrganization(organization));
    return organization;
  };
  return {
    opened,
    storage,
    write,
    addOrganization,
    async addMember(given = {}) {
      const member = newMember(given.organizationId ?? (await addOrganization()).id, given);
      await write((tx) => tx.insertMember(member));
      return member;
    },
  };
}
