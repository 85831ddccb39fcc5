import type { Page, PageOf, ReplacedValue, Role, SealedValue } from '@probity/core';
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
  /** The member with this e-mail, whatever its case; null when the organization has none. */
  findMemberByEmail(organizationId: string, email: string): Promise<Member | null>;
  /** The members of an organization, oldest first, ties by id. */
  listMembers(organizationId: string, page: Page): Promise<PageOf<Member>>;
  /** Active members with the role owner, leaving out one. */
  countOtherActiveOwners(organizationId: string, memberId: string): Promise<number>;
}

/** What may be changed of a member; absent fields stay as they are. */
export interface MemberChanges {
  readonly name?: string | null;
  readonly role?: Role;
  readonly status?: MemberStatus;
  readonly suspendedAt?: SuspensionTimes;
}

/** Changes of members; callers decide under the tenant's lock whether one is allowed. */
export interface MemberWrites {
  /** @throws ProbityError `already_exists` when the organization has a member with this e-mail */
  insertMember(member: Member): Promise<void>;
  /**
   * Changes the named fields only; answers the member as it is now, null when there is none. The
   * sessions of a member that is suspended end.
   */
  updateMember(organizationId: string, id: string, changes: MemberChanges): Promise<Member | null>;
  /** Removes the member, its API keys and what it signs in with. False when there is none. */
  deleteMember(organizationId: string, id: string): Promise<boolean>;
}

/** Reads of invitations. */
export interface InvitationReads {
  /** Null when the organization has no such invitation. */
  findInvitation(organizationId: string, id: string): Promise<Invitation | null>;
  /** The invitation whose present token has this hash, of any organization, or null. */
  findInvitationByToken(tokenHash: string): Promise<Invitation | null>;
  /** All invitations of an organization, ended ones included, oldest first, ties by id. */
  listInvitations(organizationId: string, page: Page): Promise<PageOf<Invitation>>;
  /** Up to `limit` tokens of any organization that another key seals, behind an id, by id. */
  listSealedInvitations(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
}

/** Changes of invitations. An invitation outlives its member. */
export interface InvitationWrites {
  insertInvitation(invitation: Invitation): Promise<void>;
  /**
   * Replaces the token of an invitation that has neither been accepted nor revoked; the former
   * token is unknown from then on. Null, and no change, for any other.
   */
  renewInvitation(
    organizationId: string,
    id: string,
    token: InvitationToken,
  ): Promise<Invitation | null>;
  /**
   * Ends an invitation and forgets its sealed token. Of several callers one wins; null, and no
   * change, for an invitation that has been accepted or revoked already.
   */
  endInvitation(
    organizationId: string,
    id: string,
    end: 'accepted' | 'revoked',
    at: Date,
  ): Promise<Invitation | null>;
  /** Revokes the member's invitations that have neither been accepted nor revoked. */
  revokeInvitationsOf(organizationId: string, memberId: string, at: Date): Promise<void>;
  /** Sets the role of the member's invitations that have neither been accepted nor revoked. */
  setInvitedRole(organizationId: string, memberId: string, role: Role): Promise<void>;
  /** Forgets the sealed token after it was sent, unless the invitation has another token by now. */
  clearSealedInvitation(organizationId: string, id: string, tokenHash: string): Promise<void>;
  /** Stores the same token sealed anew, unless the invitation holds another by now. */
  replaceSealedInvitation(value: ReplacedValue): Promise<void>;
}
