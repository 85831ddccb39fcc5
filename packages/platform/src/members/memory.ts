import type { MemorySession } from '@probity/core';
import { byCreation, listSealed, mailboxKey, owned, pageOf } from '@probity/core/internal';
import { API_KEYS } from '../credentials/memory-tables.ts';
import { deleteSignInOf } from '../sign-in/memory/accounts.ts';
import { deleteSessionsOf } from '../sign-in/memory/sessions.ts';
import { INVITATIONS, MEMBERS } from './memory-tables.ts';
import { emailTaken } from './rules.ts';
import type { InvitationReads, InvitationWrites, MemberReads, MemberWrites } from './storage.ts';
import type { Invitation } from './types.ts';

/** Creates the in-memory storage for members. */
export function createMemoryMembers(session: MemorySession): MemberReads & MemberWrites {
  const members = () => session.table(MEMBERS);
  const findByEmail = (organizationId: string, email: string) => {
    const key = mailboxKey(email);
    const [member] = members().filter(
      (row) => row.organizationId === organizationId && mailboxKey(row.email) === key,
    );
    return member ?? null;
  };
  return {
    findMember: async (organizationId, id) => owned(members(), organizationId, id),
    findMemberByEmail: async (organizationId, email) => findByEmail(organizationId, email),
    async listMembers(organizationId, page) {
      return pageOf(
        members().filter((row) => row.organizationId === organizationId),
        page,
        byCreation,
      );
    },
    async listActiveMembers(organizationId, role, limit) {
      const found = members().filter(
        (row) =>
          row.organizationId === organizationId && row.role === role && row.status === 'active',
      );
      return found.sort(byCreation).slice(0, limit);
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
    async insertMember(member) {
      if (findByEmail(member.organizationId, member.email)) throw emailTaken();
      members().put(member.id, member);
    },
    async updateMember(organizationId, id, changes) {
      const member = owned(members(), organizationId, id);
      if (!member) return null;
      const holder =
        changes.email === undefined ? null : findByEmail(organizationId, changes.email);
      if (holder && holder.id !== id) throw emailTaken();
      const changed = { ...member, ...changes };
      members().put(id, changed);
      if (changes.status === 'suspended')
        deleteSessionsOf(session, { organizationId, memberId: id });
      return changed;
    },
    async deleteMember(organizationId, id) {
      if (!owned(members(), organizationId, id)) return false;
      session.table(API_KEYS).deleteWhere(({ memberId }) => memberId === id);
      deleteSignInOf(session, { organizationId, memberId: id });
      return members().delete(id);
    },
  };
}

/** Creates the in-memory storage for invitations. */
export function createMemoryInvitations(
  session: MemorySession,
): InvitationReads & InvitationWrites {
  return { ...createInvitationReads(session), ...createInvitationWrites(session) };
}

const invitationsOf = (session: MemorySession) => session.table(INVITATIONS);

function createInvitationReads(session: MemorySession): InvitationReads {
  return {
    findInvitation: async (organizationId, id) => owned(invitationsOf(session), organizationId, id),
    async findInvitationByToken(tokenHash) {
      return invitationsOf(session).filter((row) => row.tokenHash === tokenHash)[0] ?? null;
    },
    async hasAcceptedInvitation(organizationId, memberId) {
      const accepted = invitationsOf(session).filter(
        (row) =>
          row.organizationId === organizationId &&
          row.memberId === memberId &&
          row.acceptedAt !== null,
      );
      return accepted.length > 0;
    },
    async listSealedInvitations(exceptKeyId, after, limit) {
      const values = invitationsOf(session)
        .filter(({ sealedToken }) => sealedToken !== null)
        .map(({ id, sealedToken }) => ({ id, sealed: sealedToken ?? '' }));
      return listSealed(values, exceptKeyId, after, limit);
    },
    async listInvitations(organizationId, page) {
      return pageOf(
        invitationsOf(session).filter((row) => row.organizationId === organizationId),
        page,
        byCreation,
      );
    },
  };
}

function createInvitationWrites(session: MemorySession): InvitationWrites {
  const invitations = () => invitationsOf(session);
  const findOpen = (organizationId: string, id: string) => {
    const invitation = owned(invitations(), organizationId, id);
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
    async replaceSealedInvitation({ id, from, to }) {
      const invitation = invitations().get(id);
      if (invitation?.sealedToken === from) change(invitation, { sealedToken: to });
    },
    async clearSealedInvitation(organizationId, id, tokenHash) {
      const invitation = owned(invitations(), organizationId, id);
      if (invitation?.tokenHash === tokenHash) change(invitation, { sealedToken: null });
    },
  };
}

function isOpen({ acceptedAt, revokedAt }: Invitation): boolean {
  return !acceptedAt && !revokedAt;
}
