import type {
  CallContext,
  DatabaseSession,
  OwnerNotice,
  OwnerNotices,
  Role,
  Runtime,
  Storage,
  TransactionOf,
} from '@probity/core';
import { notFound } from '@probity/core';
import { isAtLeast, mailboxKey } from '@probity/core/internal';
import type { AccountReads } from '../sign-in/storage.ts';
import type { MemberAction, MemberChangeWrites } from './change.ts';
import { changeMember, targetOf, toAuditFields } from './change.ts';
import {
  hasOtherActiveOwner,
  removeMember,
  requireOtherActiveOwner,
  requireRoleWithinOwn,
} from './rules.ts';
import type { InvitationReads, MemberChanges, MemberReads } from './storage.ts';
import { reactivationBy, suspensionBy } from './suspension.ts';
import type { Member } from './types.ts';
import { NOT_SUSPENDED } from './types.ts';

/** Context of a provisioning call by an identity provider. */
export interface ProvisioningCall {
  /** The actor for the audit log; its organization is the one whose members are changed. */
  readonly context: CallContext;
  /** The transaction to join; default: the call's own. */
  readonly session?: DatabaseSession;
}

/** Input for a member added by an identity provider. */
export interface ProvisionedMember {
  readonly email: string;
  readonly name: string | null;
  /** At most the caller's role. */
  readonly role: Role;
}

/** The result of a suspension. */
export interface ProvisionedSuspension {
  readonly member: Member;
  /** True for an owner when no other owner is active: the organization needs a new one. */
  readonly isLastOwner: boolean;
}

/**
 * Operations of an identity provider on the members of an organization. Each change runs under the
 * tenant's lock, is recorded in the audit log, and throws ProbityError `not_found` when the
 * organization has no such member.
 */
export interface MemberProvisioning {
  /** Finds the member with this e-mail, in any case and status; null when there is none. */
  findByEmail(call: ProvisioningCall, email: string): Promise<Member | null>;
  /** Null when the organization has no such member. */
  find(call: ProvisioningCall, id: string): Promise<Member | null>;
  /**
   * Adds an active member, without an invitation.
   * @throws ProbityError `already_exists` when the organization has a member with this e-mail;
   *   `forbidden` for a role above the caller's
   */
  add(call: ProvisioningCall, input: ProvisionedMember): Promise<Member>;
  /** Activates a pending member and revokes its invitation; leaves any other member unchanged. */
  activate(call: ProvisioningCall, id: string): Promise<Member>;
  /**
   * Changes e-mail, name and role. A member with a role above the caller's, such as an owner, keeps
   * its role and its e-mail, to which password resets are sent. A member who has a password,
   * or accepted an invitation, keeps its e-mail too, and the owners are notified: one of them confirms the new
   * address. An address that is replaced gets a mail.
   * @throws ProbityError `forbidden` for a role above the caller's; `conflict` for another role of
   *   the last owner; `already_exists` when another member has the e-mail
   */
  update(
    call: ProvisioningCall,
    id: string,
    changes: {
      readonly email?: string;
      readonly name?: string | null;
      readonly role?: Role;
    },
  ): Promise<Member>;
  /**
   * Suspends the member for the identity provider: its API keys and sessions are refused from the
   * commit on. The last owner can be suspended too, and keeps the owner role.
   * @throws ProbityError `conflict` while pending
   */
  suspend(call: ProvisioningCall, id: string): Promise<ProvisionedSuspension>;
  /**
   * Ends the identity provider's suspension; with one by an administrator the member stays
   * suspended.
   * @throws ProbityError `conflict` while pending
   */
  reactivate(call: ProvisioningCall, id: string): Promise<Member>;
  /**
   * Removes the member with its API keys, sessions and open invitation.
   * @throws ProbityError `conflict` for the last owner
   */
  remove(call: ProvisioningCall, id: string): Promise<void>;
}

/** Dependencies of provisioning. */
interface ProvisioningOptions {
  readonly storage: ProvisioningStorage;
  /** Tells the admins that the last owner was suspended; default: nobody is told. */
  readonly notices?: OwnerNotices | undefined;
}

type ProvisioningStorage = Storage<
  MemberReads & InvitationReads & AccountReads,
  MemberChangeWrites
>;
type Tx = TransactionOf<ProvisioningStorage>;

/** Creates the member operations used by provisioning. */
export function createMemberProvisioning(
  runtime: Runtime,
  { storage, notices }: ProvisioningOptions,
): MemberProvisioning {
  const { clock, ids, audit } = runtime;

  /** Runs `work` under the tenant's lock, in the call's transaction. */
  function locked<T>({ context, session }: ProvisioningCall, work: (tx: Tx) => Promise<T>) {
    const { organizationId } = context.principal;
    return storage.withTenantLock(session ? { session } : context, organizationId, work);
  }

  /** Reads in the call's transaction, if it has one. */
  function read<T>({ session }: ProvisioningCall, work: (reads: MemberReads) => Promise<T>) {
    return session ? storage.transaction({ session }, work) : work(storage);
  }

  /** Applies the change that `decide` returns. */
  function change(
    call: ProvisioningCall,
    id: string,
    action: MemberAction,
    decide: (member: Member, tx: Tx) => MemberChanges | Promise<MemberChanges>,
  ): Promise<Member> {
    const { context } = call;
    return locked(call, async (tx) => {
      const member = await requireMember(tx, context, id);
      return changeMember(tx, { runtime, context, action }, member, await decide(member, tx));
    });
  }

  return {
    find: (call, id) =>
      read(call, (reads) => reads.findMember(call.context.principal.organizationId, id)),

    findByEmail: (call, email) =>
      read(call, (reads) => reads.findMemberByEmail(call.context.principal.organizationId, email)),

    async add(call, input) {
      const { context } = call;
      requireRoleWithinOwn(context, input.role);
      const member = newMember(ids.next('mem'), context, input, clock.now());
      return locked(call, async (tx) => {
        await tx.insertMember(member);
        const after = toAuditFields(member);
        await audit.record(tx, context, 'member.added', targetOf(member), { after });
        return member;
      });
    },

    activate: (call, id) =>
      change(call, id, 'member.activated', async (member, tx) => {
        if (member.status !== 'pending_invite') return {};
        await tx.revokeInvitationsOf(member.organizationId, id, clock.now());
        return { status: 'active' };
      }),

    async update(call, id, { email, name, role }) {
      const { context } = call;
      if (role) requireRoleWithinOwn(context, role);
      return change(call, id, 'member.updated', async (member, tx) => {
        const isBelow = isAtLeast(context.principal.role, member.role);
        const isChanged = role !== undefined && isBelow;
        if (isChanged && role !== 'owner') await requireOtherActiveOwner(tx, member);
        const isTaking = email !== undefined && isBelow && !(await keepsEmail(tx, member, email));
        if (email !== undefined && isBelow && !isTaking) {
          await notices?.send(tx, changedEmailNotice(member, email));
        }
        return {
          ...(isTaking ? { email } : {}),
          ...(name === undefined ? {} : { name }),
          ...(isChanged ? { role } : {}),
        };
      });
    },

    suspend: (call, id) =>
      locked(call, async (tx) => {
        const { context } = call;
        const before = await requireMember(tx, context, id);
        const recorded = { runtime, context, action: 'member.suspended' } as const;
        const changes = suspensionBy('scim', before, clock.now());
        const member = await changeMember(tx, recorded, before, changes);
        const isLastOwner = member.role === 'owner' && !(await hasOtherActiveOwner(tx, member));
        const isNew = before.suspendedAt.scim === null;
        if (isLastOwner && isNew) await notices?.send(tx, lastOwnerNotice(member));
        return { member, isLastOwner };
      }),

    reactivate: (call, id) =>
      change(call, id, 'member.reactivated', (member) => reactivationBy('scim', member)),

    remove: (call, id) =>
      locked(call, async (tx) => {
        const member = await requireMember(tx, call.context, id);
        await removeMember(tx, member, clock.now());
        const before = toAuditFields(member);
        await audit.record(tx, call.context, 'member.removed', targetOf(member), { before });
      }),
  };
}

/**
 * Whether a new e-mail needs the confirmation of an owner: password resets are sent to it, so that the
 * identity provider could sign in as a person who uses the account already, with a password or since an
 * accepted invitation.
 */
async function keepsEmail(
  tx: AccountReads & InvitationReads,
  member: Member,
  email: string,
): Promise<boolean> {
  if (mailboxKey(member.email) === mailboxKey(email)) return false;
  const { organizationId, id } = member;
  const account = await tx.findAccount({ organizationId, memberId: id });
  if (account !== null && account.passwordHash !== null) return true;
  return tx.hasAcceptedInvitation(organizationId, id);
}

function changedEmailNotice({ organizationId, id, email }: Member, changed: string): OwnerNotice {
  return {
    organizationId,
    to: 'owners',
    subject: 'An e-mail address waits for your confirmation',
    text: [
      `Your identity provider has changed the e-mail address of ${email} to ${changed}.`,
      'The person uses the account already, so sign-in and password resets keep the old address until an owner',
      'confirms the new one. Ask the person first. Then send, with the API key of an owner:',
      `PATCH /v1/organizations/${organizationId}/members/${id} {"email": "${changed}"}`,
    ].join('\n'),
  };
}

function lastOwnerNotice({ organizationId, email }: Member): OwnerNotice {
  return {
    organizationId,
    to: 'admins',
    subject: 'The last owner of your organization has no access any more',
    text: [
      `Your identity provider has deactivated ${email}, the only active owner of your organization.`,
      'The person keeps the role of the owner, and no access. Nobody can change the subscription or',
      'name another owner until the identity provider activates the person again.',
    ].join('\n'),
  };
}

async function requireMember(
  reads: MemberReads,
  { principal }: CallContext,
  id: string,
): Promise<Member> {
  const member = await reads.findMember(principal.organizationId, id);
  if (!member) throw notFound('member');
  return member;
}

function newMember(
  id: string,
  { principal }: CallContext,
  { email, name, role }: ProvisionedMember,
  createdAt: Date,
): Member {
  return {
    id,
    organizationId: principal.organizationId,
    email,
    name,
    role,
    status: 'active',
    suspendedAt: NOT_SUSPENDED,
    mfaEnabled: false,
    createdAt,
    lastLogin: null,
  };
}
