import { randomBytes } from 'node:crypto';
import { createIds } from '@probity/core';
import { at, START } from '@probity/core/testing';
import type { Member } from '../members/types.ts';
import type { MemberKey, PasswordReset, SignInSession } from '../sign-in/types.ts';

const ids = createIds();

/** 64 unique hex digits. */
function newHash(): string {
  return randomBytes(32).toString('hex');
}

/** The key of the member. */
export function keyOfMember({ organizationId, id }: Member): MemberKey {
  return { organizationId, memberId: id };
}

/** A new session of the member. */
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

/** A new password reset of the member. */
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
