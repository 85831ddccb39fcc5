import type { CallContext, Page, PageOf, Role, Runtime, SecretBox, Storage } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { isPermitted } from '@probity/core/internal';
import type { MailLimits } from '../mails/limits.ts';
import { createMailCounter, DEFAULT_MAIL_LIMITS } from '../mails/limits.ts';
import type { MailCountWrites } from '../mails/storage.ts';
import type { MemberAction, MemberChangeWrites } from './change.ts';
import { changeMember, targetOf, toAuditFields } from './change.ts';
import { invitationMailJob, issueInvitationToken } from './issue.ts';
import { removeMember, requireOtherActiveOwner, requireRoleWithinOwn } from './rules.ts';
import type { MemberChanges, MemberReads } from './storage.ts';
import { reactivationBy, requireOwnSuspension, suspensionBy } from './suspension.ts';
import type { Invitation, Member } from './types.ts';
import { NOT_SUSPENDED } from './types.ts';

/** Input for inviting a member. */
export interface NewMember {
  readonly email: string;
  readonly name: string | null;
  /** At most the caller's role. */
  readonly role: Role;
}

/** A pending member and its invitation. */
export interface InvitedMember {
  readonly member: Member;
  readonly invitation: Invitation;
}

/**
 * The members of an organization. Every change throws ProbityError `forbidden` for a role above the
 * caller's, `not_found` when the organization has no such member, and `conflict` when it would
 * leave the organization without an active owner.
 */
export interface Members {
  list(context: CallContext, page: Page): Promise<PageOf<Member>>;
  /**
   * Creates a pending member and its invitation, which is mailed in the background.
   * @throws ProbityError `already_exists` when the organization has a member with this e-mail;
   *   `rate_limited` after too many invitations, see {@link MailLimits}
   */
  invite(context: CallContext, input: NewMember): Promise<InvitedMember>;
  changeRole(context: CallContext, id: string, role: Role): Promise<Member>;
  /**
   * Changes the e-mail of a member, to which password resets are sent, such as the address that an
   * identity provider reports.
   * @throws ProbityError `forbidden` for a caller who is not an owner; `already_exists` when another
   *   member has the e-mail
   */
  changeEmail(context: CallContext, id: string, email: string): Promise<Member>;
  /**
   * Suspends a member: its API keys and sessions are refused once this returns.
   * @throws ProbityError `conflict` while pending
   */
  suspend(context: CallContext, id: string): Promise<Member>;
  /**
   * Ends a suspension by an administrator; one by the identity provider remains.
   * @throws ProbityError `conflict` while pending, and when only the identity provider suspends
   *   the member
   */
  reactivate(context: CallContext, id: string): Promise<Member>;
  /**
   * Removes the member, its API keys and its open invitation. Members may remove themselves;
   * removing others needs the permission `members:write`.
   */
  remove(context: CallContext, id: string): Promise<void>;
}

/** Dependencies of the member service. */
export interface MemberOptions {
  readonly storage: Storage<MemberReads, MemberChangeWrites & MailCountWrites>;
  /** Seals invitation tokens until they are mailed. */
  readonly secretBox: SecretBox;
  /** Default {@link DEFAULT_MAIL_LIMITS}. */
  readonly mailLimits?: MailLimits | undefined;
}

/** Creates the member service. */
export function createMembers(runtime: Runtime, options: MemberOptions): Members {
  const { ids, clock, audit } = runtime;
  const { storage, secretBox, mailLimits = DEFAULT_MAIL_LIMITS } = options;
  const mails = createMailCounter(clock, mailLimits);
  return {
    list: ({ principal }, page) => storage.listMembers(principal.organizationId, page),

    async invite(context, input) {
      requireRoleWithinOwn(context, input.role);
      const { organizationId } = context.principal;
      const invited = newInvitedMember(runtime, secretBox, organizationId, input);
      const { member, invitation } = invited;
      await storage.transaction(context, async (tx) => {
        await tx.insertMember(member);
        await tx.insertInvitation(invitation);
        await mails.requireInvitation(tx, organizationId, member.email);
        await tx.enqueueJobs([invitationMailJob(ids.next('job'), invitation)]);
        const after = { ...toAuditFields(member), invitation_id: invitation.id };
        await audit.record(tx, context, 'member.invited', targetOf(member), { after });
      });
      return invited;
    },

    async changeRole(context, id, role) {
      requireRoleWithinOwn(context, role);
      return change(context, id, 'member.role_changed', async (tx, member) => {
        if (role !== 'owner') await requireOtherActiveOwner(tx, member);
        return { role };
      });
    },

    async changeEmail(context, id, email) {
      if (context.principal.role !== 'owner') {
        const message = 'Only an owner may change the e-mail address of a member.';
        throw new ProbityError('forbidden', message);
      }
      return change(context, id, 'member.updated', async () => ({ email }));
    },

    suspend: (context, id) =>
      change(context, id, 'member.suspended', async (tx, member) => {
        await requireOtherActiveOwner(tx, member);
        return suspensionBy('admin', member, clock.now());
      }),

    reactivate: (context, id) =>
      change(context, id, 'member.reactivated', async (_tx, member) => {
        requireOwnSuspension(member);
        return reactivationBy('admin', member);
      }),

    async remove(context, id) {
      const { organizationId, memberId, role } = context.principal;
      if (id !== memberId && !isPermitted(context.principal, 'members:write')) {
        throw new ProbityError('forbidden', `The role ${role} cannot remove other members.`);
      }
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const member = await findWithinOwnRole(tx, context, id);
        await removeMember(tx, member, clock.now());
        const before = toAuditFields(member);
        await audit.record(tx, context, 'member.removed', targetOf(member), { before });
      });
    },
  };

  /** Applies the change that `decide` returns, under the tenant's lock. */
  function change(
    context: CallContext,
    id: string,
    action: MemberAction,
    decide: (tx: MemberReads, member: Member) => Promise<MemberChanges>,
  ): Promise<Member> {
    const { organizationId } = context.principal;
    return storage.withTenantLock(context, organizationId, async (tx) => {
      const member = await findWithinOwnRole(tx, context, id);
      return changeMember(tx, { runtime, context, action }, member, await decide(tx, member));
    });
  }
}

async function findWithinOwnRole(
  tx: MemberReads,
  context: CallContext,
  id: string,
): Promise<Member> {
  const member = await tx.findMember(context.principal.organizationId, id);
  if (!member) throw notFound('member');
  requireRoleWithinOwn(context, member.role);
  return member;
}

function newInvitedMember(
  { ids, clock, random }: Runtime,
  secretBox: SecretBox,
  organizationId: string,
  { email, name, role }: NewMember,
): InvitedMember {
  const createdAt = clock.now();
  const member: Member = {
    id: ids.next('mem'),
    organizationId,
    email,
    name,
    role,
    status: 'pending_invite',
    suspendedAt: NOT_SUSPENDED,
    mfaEnabled: false,
    createdAt,
    lastLogin: null,
  };
  const id = ids.next('inv');
  const invitation: Invitation = {
    id,
    organizationId,
    memberId: member.id,
    email,
    role,
    ...issueInvitationToken({ random, secretBox }, id, createdAt),
    createdAt,
    acceptedAt: null,
    revokedAt: null,
  };
  return { member, invitation };
}
