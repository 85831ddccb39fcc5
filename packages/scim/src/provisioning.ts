import type { CallContext, DatabaseSession, Role } from '@probity/core';

/** The account of a person in the application, such as a member of an organization. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** `pending_invite`: invited and not active yet. */
  readonly status: 'pending_invite' | 'active' | 'suspended';
}

/** A call that changes accounts of the organization of its context. */
export interface ProvisioningCall {
  readonly context: CallContext;
  /** The transaction to join, where the storage has one. */
  readonly session?: DatabaseSession;
}

/**
 * What SCIM does to the accounts of people: every SCIM user has one. Without a provisioning there are only users
 * and groups. The members of `@probity/platform` (`platform.services.provisioning`) fit it.
 */
export interface Provisioning {
  /** Null when the organization has no such account. */
  find(call: ProvisioningCall, id: string): Promise<Account | null>;
  /** The account with this e-mail, in any case and status; null when there is none. */
  findByEmail(call: ProvisioningCall, email: string): Promise<Account | null>;
  /**
   * Adds an active account.
   * @throws ProbityError `already_exists` when there is one with this e-mail
   */
  add(
    call: ProvisioningCall,
    input: { readonly email: string; readonly name: string | null; readonly role: Role },
  ): Promise<Account>;
  /** Activates a pending account and revokes its invitation. */
  activate(call: ProvisioningCall, id: string): Promise<Account>;
  /**
   * An account with a role above the caller's, such as an owner, keeps its role and its e-mail.
   * @throws ProbityError `not_found`, before anything is changed, when the organization has no such account
   */
  update(
    call: ProvisioningCall,
    id: string,
    changes: { readonly email?: string; readonly name?: string | null; readonly role?: Role },
  ): Promise<Account>;
  /** Ends the person's access at once; no effect on one that SCIM has suspended already. */
  suspend(call: ProvisioningCall, id: string): Promise<unknown>;
  /** Gives back the access that `suspend` took, and no other. */
  reactivate(call: ProvisioningCall, id: string): Promise<Account>;
  /** @throws ProbityError `conflict` for the last owner */
  remove(call: ProvisioningCall, id: string): Promise<void>;
}
