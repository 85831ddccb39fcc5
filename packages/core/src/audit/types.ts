import type { ChainLink } from '../crypto/hash-chain.ts';

/** The actor of a change: a member through a credential, or the program itself. */
export interface AuditActor {
  readonly type: 'member' | 'system';
  /** The member's id; for the system, the name of the part that acted, such as `bootstrap`. */
  readonly id: string;
  /** The API key or session used; null for the system. */
  readonly credentialId: string | null;
}

/** The resource that was changed. */
export interface AuditTarget {
  /** Kind of resource, as in permissions: `api_key`, `member`, `webhook`. */
  readonly type: string;
  readonly id: string;
}

/** A change of state to record, in the transaction that makes it. */
export interface NewAuditEntry {
  readonly id: string;
  readonly organizationId: string;
  /** `resource.verb-in-past`, such as `api_key.created`. */
  readonly action: string;
  readonly actor: AuditActor;
  readonly target: AuditTarget;
  /** The changed fields before and after; null where the resource did not exist. Secrets are masked. */
  readonly before: AuditFields | null;
  readonly after: AuditFields | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly createdAt: Date;
}

/** JSON values by name. */
export type AuditFields = Readonly<Record<string, unknown>>;

/** A recorded change: a link of its organization's hash chain. */
export interface AuditEntry extends NewAuditEntry, ChainLink {}

/** Filter of a list of entries; every member narrows the list. */
export interface AuditFilter {
  /** A member's id, or the name of a part of the system. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}
