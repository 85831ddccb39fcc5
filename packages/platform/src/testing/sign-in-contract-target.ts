import { randomBytes } from 'node:crypto';
import { createIds, OUTSIDE_REQUEST } from '@probity/core';
import { at, START } from '@probity/core/testing';
import type { Member } from '../organizations/types.ts';
import type { SignInStorage, SignInWrites } from '../sign-in/storage.ts';
import type { MemberKey, PasswordReset, SignInSession } from '../sign-in/types.ts';
import type { MemberContractDatabase } from './member-contract-target.ts';
import { withMembers } from './member-contract-target.ts';

/** A database with the storages of sign-in and of members on it. */
export interface SignInContractDatabase extends MemberContractDatabase {
  readonly signIn: SignInStorage;
}

/** What the contract suite of sign-in runs on. */
export interface SignInContractTarget {
  readonly name: string;
  open(): Promise<SignInContractDatabase>;
}

/** What a test of the suite works with. */
export interface SignInContractWorld {
  readonly opened: SignInContractDatabase;
  readonly signIn: SignInStorage;
  /** Stores a member, in a new organization unless one is given. */
  addMember(given?: Partial<Member>): Promise<Member>;
  /** Runs writes in one transaction. */
  write<T>(work: (tx: SignInWrites) => Promise<T>): Promise<T>;
}

/** Runs `work` on a database of its own. */
export async function withSignIn(
  target: SignInContractTarget,
  work: (world: SignInContractWorld) => Promise<void>,
): Promise<void> {
  const opened = await target.open();
  await withMembers({ name: target.name, open: async () => opened }, (_opened, addMember) =>
    work({
      opened,
      signIn: opened.signIn,
      addMember,
      write: (each) => opened.signIn.transaction(OUTSIDE_REQUEST, each),
    }),
  );
}

const ids = createIds();

/** 64 hex digits of their own. */
function newHash(): string {
  return randomBytes(32).toString('hex');
}

/** Names the member. */
export function keyOfMember({ organizationId, id }: Member): MemberKey {
  return { organizationId, memberId: id };
}

/** A session of the member that has just begun. */
export function newSession(member: Member, given: Partial<SignInSession> = {}): SignInSession {
  return {
    id: ids.next('ses'),
    ...keyOfMember(member),
    familyHash: newHash(),
    refreshHash: newHash(),
    previousHash: null,
    createdAt: START,
    lastUsed: START,
    expiresAt: at(1_000_000),
    address: '192.0.2.1',
    userAgent: 'Test "agent" ✓',
    ...given,
  };
}

/** A reset of the member that has just been asked for. */
export function newReset(member: Member, given: Partial<PasswordReset> = {}): PasswordReset {
  return {
    ...keyOfMember(member),
    tokenHash: newHash(),
    sealedToken: 'v1.00000000.sealed',
    createdAt: START,
    expiresAt: at(3_600_000),
    ...given,
  };
}
