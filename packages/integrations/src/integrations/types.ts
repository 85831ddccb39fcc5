import type { Severity } from '@probity/core';

/** Kinds of external systems: ServiceNow (`itsm`) and Microsoft Teams (`chatops`). */
export const INTEGRATION_TYPES = ['itsm', 'chatops'] as const;

/** One of {@link INTEGRATION_TYPES}; an organization has at most one integration of each. */
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/** `failing`: the system refused the credentials, or what was sent, when it was last called. */
export const INTEGRATION_STATUSES = ['connected', 'failing'] as const;

/** One of {@link INTEGRATION_STATUSES}. */
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** Severities of alerts, from least to most severe. */
export const SEVERITIES = [
  'low',
  'medium',
  'high',
  'critical',
] as const satisfies readonly Severity[];

/** Which alerts are sent, and how. */
export interface Routing {
  /** Alerts of these severities are sent; not empty, without repetitions. */
  readonly severities: readonly Severity[];
  /** Of the incidents of an ITSM system. */
  readonly category?: string | undefined;
  /** Of the incidents of an ITSM system. */
  readonly subcategory?: string | undefined;
  /** The team of the channel that a chat system posts in; with `channelId`. */
  readonly teamId?: string | undefined;
  readonly channelId?: string | undefined;
  /** The chat that a chat system posts in; in place of a channel. */
  readonly chatId?: string | undefined;
}

/** A connection of an organization to an external system. */
export interface Integration {
  /** `itg_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly type: IntegrationType;
  /** Base URL of an ITSM system, without a trailing slash; the tenant of a chat system. */
  readonly target: string;
  /** Of the OAuth client. */
  readonly clientId: string;
  /** Null while no alerts are sent. */
  readonly routing: Routing | null;
  readonly status: IntegrationStatus;
  /** Why the system refused the last call; set together with `lastErrorAt` while `failing`. */
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An integration with its client secret. */
export interface Connection extends Integration {
  readonly sealedSecret: string;
}

/** Input for a connection to ServiceNow; names as in the specification, "Integration set-up". */
export interface NewItsm {
  readonly instance_url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** Input for a connection to Microsoft Teams; names as in the specification, "Integration set-up". */
export interface NewChatops {
  readonly tenant_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** What a storage changes of an integration; absent members stay. */
export interface StoredChanges {
  readonly clientId?: string | undefined;
  readonly sealedSecret?: string | undefined;
  readonly routing?: Routing | null | undefined;
  readonly status?: IntegrationStatus | undefined;
  readonly lastError?: string | null | undefined;
  readonly lastErrorAt?: Date | null | undefined;
  readonly updatedAt?: Date | undefined;
}
