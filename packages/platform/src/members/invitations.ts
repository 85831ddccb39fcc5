import type {
  AuditTarget,
  CallContext,
  Page,
  PageOf,
  Runtime,
  SecretBox,
  Storage,
  TransactionOf,
} from '@probity/core';
import { notFound, OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { RequestOrigin } from '@probity/core/internal';
import { hashSecret, isWellFormedToken } from '@probity/core/internal';
import type { MailLimits } from '../mails/limits.ts';
import { createMailCounter, DEFAULT_MAIL_LIMITS } from '../mails/limits.ts';
import type { MailCountWrites } from '../mails/storage.ts';
import { createIpAllowlists } from '../organizations/ip-allowlist.ts';
import type { OrganizationReads } from '../organizations/storage.ts';
import { requireGoodPassword } from '../sign-in/password-rules.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import type { AccountWrites } from '../sign-in/storage.ts';
import { invitationMailJob, issueInvitationToken } from './issue.ts';
import { removeMember, requireRoleWithinOwn } from './rules.ts';
import type { InvitationReads, InvitationWrites, MemberReads, MemberWrites } from './storage.ts';
import type { Invitation, InvitationOverview, Member } from './types.ts';
import { invitationStatus } from './types.ts';

/** Input for accepting an invitation. */
export interface InvitationAnswer {
  readonly token: string;
  /** Replaces the name given in the invitation. */
  readonly name?: string | undefined;
  /** The password that the member will sign in with. */
  readonly password?: string | undefined;
}

/**
 * The invitations of an organization. Changes throw ProbityError `forbidden` for a role above the
 * caller's, `not_found` when the organization has no such invitation, and `conflict` when it has
 * been accepted or revoked.
 */
export interface Invitations {
  list(context: CallContext, page: Page): Promise<PageOf<InvitationOverview>>;
  /** Renews the token and expiry of an invitation, expired or not, and mails it again; `rate_limited` as `invite`. */
  resend(context: CallContext, id: string): Promise<InvitationOverview>;
  /** Revokes the invitation and removes its pending member. */
  revoke(context: CallContext, id: string): Promise<void>;
  /**
   * Activates the invited member. Of several calls with one token one succeeds.
   * @throws ProbityError `not_found` for a token that is unknown or was replaced, `conflict` for
   *   an invitation that has been accepted, has expired or was revoked, `validation_failed` for a
   *   password that breaks the rules, `forbidden` from outside the organization's IP allowlist
   */
  accept(call: RequestOrigin, answer: InvitationAnswer): Promise<Member>;
}

type InvitationStorage = Storage<
  MemberReads & InvitationReads & OrganizationReads,
  MemberWrites & InvitationWrites & AccountWrites & MailCountWrites
>;

/** Dependencies of the invitation service. */
export interface InvitationOptions {
  readonly storage: InvitationStorage;
  readonly passwords: Passwords;
  /** Seals tokens until they are mailed. */
  readonly secretBox: SecretBox;
  /** Default {@link DEFAULT_MAIL_LIMITS}. */
  readonly mailLimits?: MailLimits | undefined;
}

/** Creates the invitation service. */
export function createInvitations(runtime: Runtime, options: InvitationOptions): Invitations {
  const { ids, clock, random, audit } = runtime;
  const { storage, passwords, secretBox, mailLimits = DEFAULT_MAIL_LIMITS } = options;
  const mails = createMailCounter(clock, mailLimits);
  const allowlists = createIpAllowlists();
  return {
    async list({ principal }, page) {
      const { items, total } = await storage.listInvitations(principal.organizationId, page);
      return { items: items.map(toOverview), total };
    },

    resend: (context, id) =>
      changeOpen(context, id, async (tx, before) => {
        const token = issueInvitationToken({ random, secretBox }, id, clock.now());
        const invitation = await tx.renewInvitation(before.organizationId, id, token);
        if (!invitation) throw notFound('invitation');
        await mails.requireInvitation(tx, before.organizationId, before.email);
        await tx.enqueueJobs([invitationMailJob(ids.next('job'), invitation)]);
        await audit.record(tx, context, 'invitation.resent', targetOf(id), {
          before: { expires_at: before.expiresAt },
          after: { expires_at: invitation.expiresAt },
        });
        return toOverview(invitation);
      }),

    revoke: (context, id) =>
      changeOpen(context, id, async (tx, { organizationId, memberId, email, role }) => {
        const now = clock.now();
        await tx.endInvitation(organizationId, id, 'revoked', now);
        const member = await tx.findMember(organizationId, memberId);
        if (member?.status === 'pending_invite') await removeMember(tx, member, now);
        const before = { member_id: memberId, email, role };
        await audit.record(tx, context, 'invitation.revoked', targetOf(id), { before });
      }),

    async accept(call, { token, name, password }) {
      if (!isWellFormedToken('pin_', token)) throw notFound('invitation');
      const tokenHash = hashSecret(token);
      const presented = await storage.findInvitationByToken(tokenHash);
      if (!presented) throw notFound('invitation');
      const { organizationId } = presented;
      await requireAllowed(storage, call, organizationId);
      const passwordHash = password === undefined ? null : await hashFor(call, presented, password);
      return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
        const now = clock.now();
        const invitation = await tx.findInvitationByToken(tokenHash);
        if (!invitation) throw notFound('invitation');
        requirePending(invitation, now);
        await requireAllowed(tx, call, organizationId);
        const member = await activate(tx, invitation, name, now);
        const { id: memberId, email } = member;
        const by = { organizationId, memberId, credentialId: invitation.id, request: call };
        await audit.record(tx, by, 'invitation.accepted', targetOf(invitation.id), {
          after: { member_id: memberId, email, name: member.name },
        });
        if (passwordHash) await tx.setPasswordHash({ organizationId, memberId }, passwordHash);
        return member;
      });
    },
  };

  async function requireAllowed(
    reads: OrganizationReads,
    { address }: RequestOrigin,
    organizationId: string,
  ): Promise<void> {
    const organization = await reads.findOrganization(organizationId);
    if (!organization) throw notFound('invitation');
    allowlists.require(JSON.stringify(organization.settings.ipAllowlist), address);
  }

  /** Checks and hashes the password before the transaction, which must be short. */
  async function hashFor(
    { address }: RequestOrigin,
    invitation: Invitation,
    password: string,
  ): Promise<string> {
    requirePending(invitation, clock.now());
    requireGoodPassword(password, invitation.email);
    return passwords.hash(password, address);
  }

  function toOverview(invitation: Invitation): InvitationOverview {
    return { ...invitation, status: invitationStatus(invitation, clock.now()) };
  }

  /** Runs `work` on an invitation that is neither accepted nor revoked. */
  function changeOpen<T>(
    context: CallContext,
    id: string,
    work: (tx: TransactionOf<InvitationStorage>, invitation: Invitation) => Promise<T>,
  ): Promise<T> {
    const { organizationId } = context.principal;
    return storage.withTenantLock(context, organizationId, async (tx) => {
      const invitation = await tx.findInvitation(organizationId, id);
      if (!invitation) throw notFound('invitation');
      requireRoleWithinOwn(context, invitation.role);
      if (invitation.acceptedAt || invitation.revokedAt) throw ended(invitation, clock.now());
      return work(tx, invitation);
    });
  }
}

function targetOf(id: string): AuditTarget {
  return { type: 'invitation', id };
}

function requirePending(invitation: Invitation, now: Date): void {
  if (invitationStatus(invitation, now) !== 'pending') throw ended(invitation, now);
}

function ended(invitation: Invitation, now: Date): ProbityError {
  const status = invitationStatus(invitation, now);
  const state = status === 'expired' ? 'has expired' : `has been ${status}`;
  return new ProbityError('conflict', `The invitation ${state}.`);
}

async function activate(
  tx: MemberReads & MemberWrites & InvitationWrites,
  invitation: Invitation,
  name: string | undefined,
  now: Date,
): Promise<Member> {
  const { id, organizationId, memberId } = invitation;
  const pending = await tx.findMember(organizationId, memberId);
  if (pending?.status !== 'pending_invite') {
    throw new ProbityError('conflict', 'The member is no longer pending.');
  }
  const changes = { status: 'active', ...(name === undefined ? {} : { name }) } as const;
  const member = await tx.updateMember(organizationId, memberId, changes);
  const accepted = await tx.endInvitation(organizationId, id, 'accepted', now);
  if (!member || !accepted) throw notFound('invitation');
  return member;
}
