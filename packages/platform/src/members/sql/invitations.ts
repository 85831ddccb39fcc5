import type { SealedColumn, SqlSession } from '@probity/core/sql';
import { pageOf, prepareQuery, requireSealingKey, sealedColumn } from '@probity/core/sql';
import type { InvitationReads, InvitationWrites } from '../storage.ts';
import { toInvitation, toInvitationRow } from './rows.ts';
import type { InvitationRow, InvitationTables } from './tables.ts';

const insertRow = prepareQuery<InvitationTables, InvitationRow, object>((db, value) =>
  db.insertInto('probity_invitations').values({
    id: value('id'),
    organization_id: value('organization_id'),
    member_id: value('member_id'),
    email: value('email'),
    role: value('role'),
    token_hash: value('token_hash'),
    sealed_token: value('sealed_token'),
    created_at: value('created_at'),
    sent_at: value('sent_at'),
    expires_at: value('expires_at'),
    accepted_at: value('accepted_at'),
    revoked_at: value('revoked_at'),
  }),
);

/** The sealed tokens of invitations not mailed yet. */
function sealedTokens(session: SqlSession): SealedColumn {
  return sealedColumn(session, 'probity_invitations', 'sealed_token');
}

/** Creates the SQL storage for invitations. */
export function createSqlInvitations(session: SqlSession): InvitationReads & InvitationWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: SqlSession): InvitationReads {
  const invitations = () => session.kysely<InvitationTables>().selectFrom('probity_invitations');
  return {
    listSealedInvitations: (...range) => sealedTokens(session).list(...range),
    async findInvitation(organizationId, id) {
      const row = await invitations()
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? toInvitation(row) : null;
    },
    async findInvitationByToken(tokenHash) {
      const query = invitations().selectAll().where('token_hash', '=', tokenHash);
      const row = await query.executeTakeFirst();
      return row ? toInvitation(row) : null;
    },
    async hasAcceptedInvitation(organizationId, memberId) {
      const row = await invitations()
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where('accepted_at', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },
    listInvitations(organizationId, page) {
      const own = invitations().where('organization_id', '=', organizationId);
      return pageOf(own.selectAll().orderBy('created_at').orderBy('id'), page, toInvitation);
    },
  };
}

function createWrites(session: SqlSession): InvitationWrites {
  const updateOpen = (organizationId: string) =>
    session
      .kysely<InvitationTables>()
      .updateTable('probity_invitations')
      .where('organization_id', '=', organizationId)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null);
  return {
    replaceSealedInvitation: (value) => sealedTokens(session).replace(value),
    async insertInvitation(invitation) {
      if (invitation.sealedToken) await requireSealingKey(session, invitation.sealedToken);
      await insertRow(session, toInvitationRow(invitation));
    },
    async renewInvitation(organizationId, id, { tokenHash, sealedToken, sentAt, expiresAt }) {
      if (sealedToken) await requireSealingKey(session, sealedToken);
      const row = await updateOpen(organizationId)
        .set({
          token_hash: tokenHash,
          sealed_token: sealedToken,
          sent_at: sentAt.getTime(),
          expires_at: expiresAt.getTime(),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? toInvitation(row) : null;
    },
    async endInvitation(organizationId, id, end, at) {
      const time =
        end === 'accepted' ? { accepted_at: at.getTime() } : { revoked_at: at.getTime() };
      const row = await updateOpen(organizationId)
        .set({ ...time, sealed_token: null })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row ? toInvitation(row) : null;
    },
    async revokeInvitationsOf(organizationId, memberId, at) {
      await updateOpen(organizationId)
        .set({ revoked_at: at.getTime(), sealed_token: null })
        .where('member_id', '=', memberId)
        .execute();
    },
    async setInvitedRole(organizationId, memberId, role) {
      await updateOpen(organizationId).set({ role }).where('member_id', '=', memberId).execute();
    },
    async clearSealedInvitation(organizationId, id, tokenHash) {
      await session
        .kysely<InvitationTables>()
        .updateTable('probity_invitations')
        .set({ sealed_token: null })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('token_hash', '=', tokenHash)
        .execute();
    },
  };
}
