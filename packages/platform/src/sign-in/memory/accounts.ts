import type { MemorySession } from '@probity/core';
import { mailboxKey } from '@probity/core/internal';
import type { Member } from '../../members/types.ts';
import type { AccountReads, AccountWrites } from '../storage.ts';
import type { Account, MemberKey } from '../types.ts';
import { isOf, memberOf, putCredentials, putMember, tablesOf } from './tables.ts';

/** Creates the in-memory storage for accounts. */
export function createMemoryAccounts(session: MemorySession): AccountReads & AccountWrites {
  const { organizations, members, credentials } = tablesOf(session);
  const toAccount = (member: Member): Account[] => {
    const organization = organizations().get(member.organizationId);
    if (!organization) return [];
    const { id, name, slug, settings } = organization;
    const stored = credentials().get(member.id);
    return [
      {
        member,
        organization: { id, name, slug },
        ipAllowlist: JSON.stringify(settings.ipAllowlist),
        passwordHash: stored?.passwordHash ?? null,
        sealedMfaSecret: stored?.sealedMfaSecret ?? null,
      },
    ];
  };
  return {
    async findAccountsByEmail(email) {
      const key = mailboxKey(email);
      return members()
        .filter((row) => mailboxKey(row.email) === key)
        .sort((left, right) => (left.organizationId < right.organizationId ? -1 : 1))
        .flatMap(toAccount);
    },
    async findAccount(key) {
      const member = memberOf(session, key);
      return (member && toAccount(member)[0]) ?? null;
    },
    async setPasswordHash(key, passwordHash) {
      putCredentials(session, key, { passwordHash });
      tablesOf(session).resets().delete(key.memberId);
    },
    async recordSignIn(key, at) {
      putMember(session, key, { lastLogin: at });
    },
  };
}

/** Deletes a member's credentials, recovery codes, sessions and password reset. */
export function deleteSignInOf(session: MemorySession, key: MemberKey): void {
  const tables = tablesOf(session);
  for (const table of [tables.sessions(), tables.credentials(), tables.codes(), tables.resets()]) {
    table.deleteWhere((row) => isOf(row, key));
  }
}
