import { OUTSIDE_REQUEST } from '@probity/core';
import type { MemberStorage } from '../members/storage.ts';
import type { Member } from '../organizations/types.ts';
import { newMember, newOrganization } from './records.ts';
import type { PlatformContractDatabase } from './targets.ts';

/** A database with the storage of members and invitations on it. */
export interface MemberContractDatabase extends PlatformContractDatabase {
  readonly members: MemberStorage;
}

/** What the contract suite of members runs on. */
export interface MemberContractTarget {
  readonly name: string;
  open(): Promise<MemberContractDatabase>;
}

/** Runs `work` on a database of its own with members, each in an organization of its own. */
export async function withMembers(
  target: MemberContractTarget,
  work: (
    opened: MemberContractDatabase,
    addMember: (given?: Partial<Member>) => Promise<Member>,
  ) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  try {
    await work(opened, (given) => addMember(opened, given));
  } finally {
    await opened.dispose();
  }
}

/** Stores a member, in a new organization unless one is given. */
async function addMember(
  { platform, members }: MemberContractDatabase,
  given: Partial<Member> = {},
): Promise<Member> {
  const organization = newOrganization();
  if (!given.organizationId)
    await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
  const member = newMember(given.organizationId ?? organization.id, given);
  await members.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(member));
  return member;
}
