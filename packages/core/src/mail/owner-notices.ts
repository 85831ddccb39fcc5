import type { KernelOperations } from '../storage/database.ts';

/** A message to the owners of an organization, such as that one of its webhooks was disabled. */
export interface OwnerNotice {
  readonly organizationId: string;
  /** Default: the owners. `admins`, for an organization whose last owner has no access. */
  readonly to?: 'owners' | 'admins';
  /** One line, without texts that others have chosen. */
  readonly subject: string;
  /** Plain text, at most 10,000 characters. */
  readonly text: string;
}

/** Tells the owners of organizations; the platform mails them, a host has its own way. */
export interface OwnerNotices {
  /**
   * Called in the transaction of what the notice is about, which it must not hold up: it stores what
   * is to be sent, so that the notice is sent if and only if the transaction commits.
   */
  send(tx: KernelOperations, notice: OwnerNotice): Promise<void>;
}
