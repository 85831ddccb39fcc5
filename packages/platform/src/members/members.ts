import type { CallContext, Clock, Ids, Page, PageOf, Random, Role, SecretBox } from '@probity/core';
import { hasPermission, notFound, ProbityError } from '@probity/core';
import { auditOf, changedFields } from '@probity/core/internal';
import type { Member } from '../organizations/types.ts';
import { invitationMailJob, issueInvitationToken } from './issue.ts';
import { removeMember, requireOtherActiveOwner, requireRoleWithinOwn } from './rules.ts';
import type { MemberChanges, MemberReads, MemberStorage } from './storage.ts';
import type { Invitation } from './types.ts';

/** Who is to become a member. */
export interface NewMember {
  readonly email: string;
  readonly name: string | null;
  /** Not above the caller's. */
  readonly role: Role;
}

/** A pending member and the invitation that was made with it. */
export interface InvitedMember {
  readonly member: Member;
  readonly invitation: Invitation;
}

/**
 * Members of an organization. Every change throws ProbityError `forbidden` where a role above the
 * caller's is concerned, `not_found` when the organization has no such member, and `conflict` when
 * it would leave the organization without an active owner.
 */
export interface Members {
  list(context: CallContext, page: Page): Promise<PageOf<Member>>;
  /**
   * Makes a pending member and its invitation, which is mailed in the background.
   * @throws ProbityError `already_exists` when the organization has a member with this e-mail
   */
  invite(context: CallContext, input: NewMember): Promise<InvitedMember>;
  changeRole(context: CallContext, id: string, role: Role): Promise<Member>;
  /** From the answer on its API keys are refused. @throws ProbityError `conflict` while pending */
  suspend(context: CallContext, id: string): Promise<Member>;
  /** Ends a suspension. @throws ProbityError `conflict` while pending */
  reactivate(context: CallContext, id: string): Promise<Member>;
  /**
   * Removes the member, its API keys and its open invitation. Anyone may remove themselves; others
   * need the permission `members:write`.
   */
  remove(context: CallContext, id: string): Promise<void>;
}

/** What the services over members and invitations need. */
export interface MemberDependencies {
  readonly storage: MemberStorage;
  /** Seals invitation tokens until they are mailed. */
  readonly secretBox: SecretBox;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
}

/** A change of a member and its name in the audit log. */
interface MemberChange {
  readonly action: 'member.role_changed' | 'member.suspended' | 'member.reactivated';
  readonly changes: MemberChanges;
}

/** Creates the service over members. */
export function createMembers(dependencies: MemberDependencies): Members {
  const { storage, ids, clock } = dependencies;
  return {
    list: ({ principal }, page) => storage.listMembers(principal.organizationId, page),

    async invite(context, input) {
      requireRoleWithinOwn(context, input.role);
      const invited = newInvitedMember(dependencies, context.principal.organizationId, input);
      const { member, invitation } = invited;
      await storage.transaction(context, async (tx) => {
        await tx.insertMember(member);
        await tx.insertInvitation(invitation);
        await tx.enqueueJobs([invitationMailJob(ids.next('job'), invitation)]);
        const entry = {
          id: ids.next('aud'),
          action: 'member.invited',
          target: { type: 'member', id: member.id },
          after: { ...toFacts(member), invitation_id: invitation.id },
          createdAt: member.createdAt,
        };
        await tx.recordAudit(auditOf(context, entry));
      });
      return invited;
    },

    async changeRole(context, id, role) {
      requireRoleWithinOwn(context, role);
      return change(context, id, async (tx, member) => {
        if (role !== 'owner') await requireOtherActiveOwner(tx, member);
        return { action: 'member.role_changed', changes: { role } };
      });
    },

    suspend: (context, id) =>
      change(context, id, async (tx, member) => {
        requireAccepted(member);
        await requireOtherActiveOwner(tx, member);
        return { action: 'member.suspended', changes: { status: 'suspended' } };
      }),

    reactivate: (context, id) =>
      change(context, id, async (_tx, member) => {
        requireAccepted(member);
        return { action: 'member.reactivated', changes: { status: 'active' } };
      }),

    async remove(context, id) {
      const { organizationId, memberId, role } = context.principal;
      if (id !== memberId && !hasPermission(role, 'members:write')) {
        throw new ProbityError('forbidden', `The role ${role} may remove nobody but itself.`);
      }
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const member = await findWithinOwnRole(tx, context, id);
        const now = clock.now();
        await removeMember(tx, member, now);
        const entry = {
          id: ids.next('aud'),
          action: 'member.removed',
          target: { type: 'member', id },
          before: toFacts(member),
          createdAt: now,
        };
        await tx.recordAudit(auditOf(context, entry));
      });
    },
  };

  /** Changes a member as `decide` says; what is so already is neither written nor recorded. */
  function change(
    context: CallContext,
    id: string,
    decide: (tx: MemberReads, member: Member) => Promise<MemberChange>,
  ): Promise<Member> {
    const { organizationId } = context.principal;
    return storage.withTenantLock(context, organizationId, async (tx) => {
      const member = await findWithinOwnRole(tx, context, id);
      const { action, changes } = await decide(tx, member);
      const difference = changedFields({ ...member }, changes);
      if (Object.keys(difference.after).length === 0) return member;
      const changed = await tx.updateMember(organizationId, id, changes);
      if (!changed) throw notFound('member');
      if (changes.role) await tx.setInvitedRole(organizationId, id, changes.role);
      const target = { type: 'member', id };
      const entry = {
        id: ids.next('aud'),
        action,
        target,
        ...difference,
        createdAt: clock.now(),
      };
      await tx.recordAudit(auditOf(context, entry));
      return changed;
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

function requireAccepted({ status }: Member): void {
  if (status !== 'pending_invite') return;
  throw new ProbityError('conflict', 'The member has not accepted the invitation yet.');
}

function newInvitedMember(
  { ids, clock, random, secretBox }: MemberDependencies,
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

function toFacts({ email, name, role, status }: Member) {
  return { email, name, role, status };
}
