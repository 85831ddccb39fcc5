import type { MemorySession } from '@probity/core';
import type { SealedValue } from '@probity/core/internal';
import { defineMemoryTable } from '@probity/core/internal';
import { MEMBERS } from '../../members/memory-tables.ts';
import type { Member } from '../../members/types.ts';
import { ORGANIZATIONS } from '../../organizations/memory-tables.ts';
import type { MemberKey, PasswordReset, SignInFailures, SignInSession } from '../types.ts';

/** The stored credentials of a member. */
export interface StoredCredentials extends MemberKey {
  readonly passwordHash: string | null;
  readonly sealedMfaSecret: string | null;
  readonly mfaLastStep: number | null;
}

interface StoredRecoveryCode extends MemberKey {
  readonly codeHash: string;
}

/** Sign-in failures with the subject they are stored under. */
export interface StoredFailures extends SignInFailures {
  readonly subject: string;
}

const SESSIONS = defineMemoryTable<SignInSession>('sessions', 'organizationId');
const CREDENTIALS = defineMemoryTable<StoredCredentials>('member_credentials', 'organizationId');
const CODES = defineMemoryTable<StoredRecoveryCode>('recovery_codes', 'organizationId');
const RESETS = defineMemoryTable<PasswordReset>('password_resets', 'organizationId');
// A subject is what was typed into the form: it may name no member of any organization.
const FAILURES = defineMemoryTable<StoredFailures>('sign_in_failures', null);

/** The sign-in tables, and the tables that their reads join. */
export function tablesOf(session: MemorySession) {
  return {
    organizations: () => session.table(ORGANIZATIONS),
    members: () => session.table(MEMBERS),
    sessions: () => session.table(SESSIONS),
    failures: () => session.table(FAILURES),
    credentials: () => session.table(CREDENTIALS),
    codes: () => session.table(CODES),
    resets: () => session.table(RESETS),
  };
}

/** Whether a row belongs to the member. */
export function isOf(row: MemberKey, { organizationId, memberId }: MemberKey): boolean {
  return row.organizationId === organizationId && row.memberId === memberId;
}

/** The member, or null when the organization does not have it. */
export function memberOf(session: MemorySession, key: MemberKey): Member | null {
  const member = tablesOf(session).members().get(key.memberId);
  return member?.organizationId === key.organizationId ? member : null;
}

/** Updates the member's row; no effect when there is none. */
export function putMember(session: MemorySession, key: MemberKey, changes: Partial<Member>): void {
  const member = memberOf(session, key);
  if (!member) return;
  const { members } = tablesOf(session);
  members().put(member.id, { ...member, ...changes });
}

/** Updates the member's credentials; creates an empty row first when there is none. */
export function putCredentials(
  session: MemorySession,
  { organizationId, memberId }: MemberKey,
  changes: Partial<StoredCredentials>,
): void {
  const { credentials } = tablesOf(session);
  const none = { passwordHash: null, sealedMfaSecret: null, mfaLastStep: null };
  const stored = credentials().get(memberId) ?? { organizationId, memberId, ...none };
  credentials().put(memberId, { ...stored, ...changes });
}

/** Returns the sealed value for key rotation in a list; empty without one. */
export function toSealed(id: string, sealed: string | null): SealedValue[] {
  return sealed === null ? [] : [{ id, sealed }];
}
