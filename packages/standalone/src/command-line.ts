// What the command line accepts. This file imports nothing: help and version load no more than it.

/** What part of the work a process does. */
export const SERVER_ROLES = ['all', 'api', 'worker'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

/** What `probity-server maintenance` is told to do. */
export const MAINTENANCE_MODES = ['on', 'off'] as const;
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Flags of the command line; each overrides its variable. */
export interface ServerFlags {
  readonly host?: string;
  readonly port?: string;
  readonly database?: string;
  readonly redis?: string;
  readonly publicUrl?: string;
  readonly role?: string;
}

/** The flag that every command has. */
export type DatabaseFlags = Pick<ServerFlags, 'database'>;

/** Flags of `probity-server audit verify`. */
export interface AuditFlags extends DatabaseFlags {
  readonly organization?: string;
  /** Ends of logs noted earlier: `ORGANIZATION:SEQUENCE:HASH`. */
  readonly expect?: readonly string[];
}

/** Flags of `probity-server members reset-mfa`. */
export interface MemberFlags extends DatabaseFlags {
  readonly organization?: string;
}

/** Flags of `probity-server bootstrap`. */
export interface BootstrapFlags extends DatabaseFlags {
  readonly publicUrl?: string;
  readonly organization: string;
  readonly ownerEmail: string;
  /** Absent for an organization that is not billed. */
  readonly plan?: string;
  readonly description?: string;
  readonly website?: string;
  readonly dataResidency?: string;
  readonly json?: true;
}

/** Flags of `probity-server webhooks list`. */
export interface WebhookListFlags extends DatabaseFlags {
  readonly organization: string;
  readonly json?: true;
}

/** Flags of `probity-server webhooks test`. */
export interface WebhookTestFlags extends WebhookListFlags {
  readonly type?: string;
}

/** Flags of `probity-server webhooks replay`. */
export interface WebhookReplayFlags extends WebhookListFlags {
  readonly since: string;
  readonly until?: string;
  /** Event types, comma separated. */
  readonly types?: string;
  readonly failed?: true;
}

/** Flags of `probity-server jobs list`. */
export interface JobListFlags extends DatabaseFlags {
  readonly queue?: string;
  readonly failed?: true;
  readonly json?: true;
}

/** Flags of `probity-server jobs retry`. */
export type JobRetryFlags = Pick<JobListFlags, 'database' | 'queue'>;
