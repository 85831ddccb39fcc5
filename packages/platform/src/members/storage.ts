import type { Page, PageOf, Role } from '@probity/core';
import type { ReplacedValue, SealedValue } from '@probity/core/internal';
import type {
  Invitation,
  InvitationToken,
  Member,
  MemberStatus,
  SuspensionTimes,
} from './types.ts';

/** Reads of members. */
export interface MemberReads {
  /** Null when the organization has no such member. */
  findMember(organizationId: string, id: string): Promise<Member | null>;
  /** The member with this e-mail in any case; null when the organization has none. */
  findMemberByEmail(organizationId: string, email: string): Promise<Member | null>;
  /** The members of an organization, oldest first, ties by id. */
  listMembers(organizationId: string, page: Page): Promise<PageOf<Member>>;
  /** Up to `limit` active members of an organization with this role, oldest first, ties by id. */
  listActiveMembers(organizationId: string, role: Role, limit: number): Promise<Member[]>;
  /** Number of active owners other than the given member. */
  countOtherActiveOwners(organizationId: string, memberId: string): Promise<number>;
}

/** Fields of a member to change; absent fields keep their value. */
export interface MemberChanges {
  readonly email?: string;
  readonly name?: string | null;
  readonly role?: Role;
  readonly status?: MemberStatus;
  readonly suspendedAt?: SuspensionTimes;
}

/** Writes of members; callers check under the tenant's lock that a change is allowed. */
export interface MemberWrites {
  /** @throws ProbityError `already_exists` when the organization has a member with this e-mail */
  insertMember(member: Member): Promise<void>;
  /**
   * Changes the named fields only, after transactions that hold the member have ended; returns the
   * changed member, null when there is none. Suspending a member ends its sessions.
   * @throws ProbityError `already_exists` when the organization has another member with the e-mail
   */
  updateMember(organizationId: string, id: string, changes: MemberChanges): Promise<Member | null>;
  /** Deletes the member, its API keys and its sign-in credentials. False when there is none. */
  deleteMember(organizationId: string, id: string): Promise<boolean>;
}

/** Reads of invitations. */
export interface InvitationReads {
  /** Null when the organization has no such invitation. */
  findInvitation(organizationId: string, id: string): Promise<Invitation | null>;
  /** The invitation of any organization whose current token has this hash, or null. */
  findInvitationByToken(tokenHash: string): Promise<Invitation | null>;
  /** Whether the member has accepted an invitation. */
  hasAcceptedInvitation(organizationId: string, memberId: string): Promise<boolean>;
  /** All invitations of an organization, ended ones included, oldest first, ties by id. */
  listInvitations(organizationId: string, page: Page): Promise<PageOf<Invitation>>;
  /**
   * Up to `limit` tokens of all organizations sealed under other keys, with ids above `after`, by
   * id.
   */
  listSealedInvitations(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Writes of invitations. An invitation outlives its member. */
export interface InvitationWrites {
  insertInvitation(invitation: Invitation): Promise<void>;
  /**
   * Replaces the token of an invitation that is neither accepted nor revoked; the former token is
   * invalid from then on. Null, and no change, for any other invitation.
   */
  renewInvitation(
    organizationId: string,
    id: string,
    token: InvitationToken,
  ): Promise<Invitation | null>;
  /**
   * Ends an invitation and clears its sealed token. Of several callers one wins; null, and no
   * change, for an invitation that has been accepted or revoked already.
   */
  endInvitation(
    organizationId: string,
    id: string,
    end: 'accepted' | 'revoked',
    at: Date,
  ): Promise<Invitation | null>;
  /** Revokes the member's invitations that are neither accepted nor revoked. */
  revokeInvitationsOf(organizationId: string, memberId: string, at: Date): Promise<void>;
  /** Sets the role of the member's invitations that are neither accepted nor revoked. */
  setInvitedRole(organizationId: string, memberId: string, role: Role): Promise<void>;
  /** Clears the sealed token after it was sent, unless the invitation has a newer token. */
  clearSealedInvitation(organizationId: string, id: string, tokenHash: string): Promise<void>;
  /** Stores the token sealed under another key, unless the invitation has a newer token. */
  replaceSealedInvitation(value: ReplacedValue): Promise<void>;
}
