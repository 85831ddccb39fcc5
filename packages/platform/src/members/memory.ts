import type { Database, MemorySession, Page, PageOf } from '@probity/core';
import { bindStorage } from '@probity/core';
import { listSealed } from '@probity/core/internal';
import { emailTaken } from '../errors.ts';
import type { ApiKey, Member } from '../organizations/types.ts';
import { deleteSessionsOf, deleteSignInOf } from '../sign-in/memory.ts';
import type { MemberReads, MemberStorage, MemberWrites } from './storage.ts';
import type { Invitation } from './types.ts';

/** Members and invitations in memory. */
export function createMemoryMemberStorage(database: Database<MemorySession>): MemberStorage {
  return bindStorage<MemorySession, MemberReads, MemberWrites>(database, (session) => ({
    ...createReads(session),
    ...createMemberWrites(session),
    ...createInvitationWrites(session),
  }));
}

function tablesOf(session: MemorySession) {
  return {
    members: () => session.table<Member>('members'),
    invitations: () => session.table<Invitation>('invitations'),
  };
}

function createReads(session: MemorySession): MemberReads {
  const { members, invitations } = tablesOf(session);
  return {
    findMember: async (organizationId, id) => ofOrganization(members().get(id), organizationId),
    async listMembers(organizationId, page) {
      return pageOf(
        members().filter((row) => row.organizationId === organizationId),
        page,
      );
    },
    async countOtherActiveOwners(organizationId, memberId) {
      const owners = members().filter(
        (row) =>
          row.organizationId === organizationId &&
          row.id !== memberId &&
          row.role === 'owner' &&
          row.status === 'active',
      );
      return owners.length;
    },
    findInvitation: async (organizationId, id) =>
      ofOrganization(invitations().get(id), organizationId),
    async findInvitationByToken(tokenHash) {
      return invitations().filter((row) => row.tokenHash === tokenHash)[0] ?? null;
    },
    async listSealedTokens(exceptKeyId, after, limit) {
      const values = invitations()
        .filter(({ sealedToken }) => sealedToken !== null)
        .map(({ id, sealedToken }) => ({ id, sealed: sealedToken ?? '' }));
      return listSealed(values, exceptKeyId, after, limit);
    },
    async listInvitations(organizationId, page) {
      return pageOf(
        invitations().filter((row) => row.organizationId === organizationId),
        page,
      );
    },
  };
}

/** Stores a member whose e-mail the organization does not have yet. */
export function insertMember(session: MemorySession, member: Member): void {
  const members = session.table<Member>('members');
  const email = member.email.toLowerCase();
  const clash = members.filter(
    (row) => row.organizationId === member.organizationId && row.email.toLowerCase() === email,
  );
  if (clash.length > 0) throw emailTaken();
  members.put(member.id, member);
}

function createMemberWrites(
  session: MemorySession,
): Pick<MemberWrites, 'insertMember' | 'updateMember' | 'deleteMember'> {
  const { members } = tablesOf(session);
  return {
    insertMember: async (member) => insertMember(session, member),
    async updateMember(organizationId, id, changes) {
      const member = ofOrganization(members().get(id), organizationId);
      if (!member) return null;
      const changed = { ...member, ...changes };
      members().put(id, changed);
      if (changes.status === 'suspended')
        deleteSessionsOf(session, { organizationId, memberId: id });
      return changed;
    },
    async deleteMember(organizationId, id) {
      if (!ofOrganization(members().get(id), organizationId)) return false;
      const apiKeys = session.table<ApiKey>('api_keys');
      for (const key of apiKeys.filter(({ memberId }) => memberId === id)) apiKeys.delete(key.id);
      deleteSignInOf(session, { organizationId, memberId: id });
      return members().delete(id);
    },
  };
}

function createInvitationWrites(
  session: MemorySession,
): Omit<MemberWrites, 'insertMember' | 'updateMember' | 'deleteMember'> {
  const { invitations } = tablesOf(session);
  const findOpen = (organizationId: string, id: string) => {
    const invitation = ofOrganization(invitations().get(id), organizationId);
    return invitation && isOpen(invitation) ? invitation : null;
  };
  const change = (invitation: Invitation, changes: Partial<Invitation>) => {
    const changed = { ...invitation, ...changes };
    invitations().put(invitation.id, changed);
    return changed;
  };
  const openOf = (organizationId: string, memberId: string) =>
    invitations().filter(
      (row) => row.organizationId === organizationId && row.memberId === memberId && isOpen(row),
    );
  return {
    async insertInvitation(invitation) {
      invitations().put(invitation.id, invitation);
    },
    async renewInvitation(organizationId, id, token) {
      const invitation = findOpen(organizationId, id);
      return invitation && change(invitation, token);
    },
    async endInvitation(organizationId, id, end, at) {
      const invitation = findOpen(organizationId, id);
      const time = end === 'accepted' ? { acceptedAt: at } : { revokedAt: at };
      return invitation && change(invitation, { ...time, sealedToken: null });
    },
    async revokeInvitationsOf(organizationId, memberId, at) {
      for (const invitation of openOf(organizationId, memberId)) {
        change(invitation, { revokedAt: at, sealedToken: null });
      }
    },
    async setInvitedRole(organizationId, memberId, role) {
      for (const invitation of openOf(organizationId, memberId)) change(invitation, { role });
    },
    async replaceSealedToken({ id, from, to }) {
      const invitation = invitations().get(id);
      if (invitation?.sealedToken === from) change(invitation, { sealedToken: to });
    },
    async clearSealedToken(organizationId, id, tokenHash) {
      const invitation = ofOrganization(invitations().get(id), organizationId);
      if (invitation?.tokenHash === tokenHash) change(invitation, { sealedToken: null });
    },
  };
}

function isOpen({ acceptedAt, revokedAt }: Invitation): boolean {
  return !acceptedAt && !revokedAt;
}

function ofOrganization<Row extends { readonly organizationId: string }>(
  row: Row | undefined,
  organizationId: string,
): Row | null {
  return row?.organizationId === organizationId ? row : null;
}

function pageOf<Row extends { readonly id: string; readonly createdAt: Date }>(
  rows: Row[],
  { limit, offset }: Page,
): PageOf<Row> {
  rows.sort(
    (left, right) =>
      left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1),
  );
  return { items: rows.slice(offset, offset + limit), total: rows.length };
}
