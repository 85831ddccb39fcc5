import type { Runtime } from '@probity/core';
import type { AuditLog } from '@probity/core/internal';
import { createAuditLog, requireSecretBox } from '@probity/core/internal';
import { createInvoiceLinks } from './billing/invoice-links.ts';
import type { InvoiceRenderer, Invoices } from './billing/invoices.ts';
import { createInvoices } from './billing/invoices.ts';
import type { Settlement } from './billing/invoicing.ts';
import type { Subscriptions } from './billing/subscriptions.ts';
import { createSubscriptions } from './billing/subscriptions.ts';
import type { ApiKeys } from './credentials/api-keys.ts';
import { createApiKeys } from './credentials/api-keys.ts';
import type { ScimAdministration, ScimResourceCounts } from './credentials/scim-administration.ts';
import { createScimAdministration } from './credentials/scim-administration.ts';
import type { MailLimits } from './mails/limits.ts';
import { createOwnerNotices } from './mails/owner-notices.ts';
import type { Invitations } from './members/invitations.ts';
import { createInvitations } from './members/invitations.ts';
import type { Members } from './members/members.ts';
import { createMembers } from './members/members.ts';
import type { MemberProvisioning } from './members/provisioning.ts';
import { createMemberProvisioning } from './members/provisioning.ts';
import type { Organizations } from './organizations/organizations.ts';
import { createOrganizations } from './organizations/organizations.ts';
import type { Passwords } from './sign-in/passwords.ts';
import { createPasswords } from './sign-in/passwords.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import type { PlatformStorage } from './storage.ts';
import type { InstanceUsage } from './usage/instance-usage.ts';
import { createInstanceUsage } from './usage/instance-usage.ts';
import type { Instances } from './usage/instances.ts';
import { createInstances } from './usage/instances.ts';
import type { UnspentUnits, Usage } from './usage/usage.ts';
import { createUsage } from './usage/usage.ts';

/** The services of the platform. */
export interface Platform {
  readonly organizations: Organizations;
  readonly members: Members;
  readonly invitations: Invitations;
  /** Member operations for identity providers; not part of the platform API. */
  readonly provisioning: MemberProvisioning;
  readonly apiKeys: ApiKeys;
  readonly scim: ScimAdministration;
  readonly subscriptions: Subscriptions;
  readonly invoices: Invoices;
  readonly usage: Usage;
  readonly instances: Instances;
  readonly instanceUsage: InstanceUsage;
  readonly auditLog: AuditLog;
  readonly signIn: SignIn;
}

/** Default path prefix of the platform API. */
export const PLATFORM_PREFIX = '/v1';

/** Dependencies of the platform besides the runtime. */
export interface PlatformOptions {
  /** Storage on the runtime's database. */
  readonly storage: PlatformStorage;
  /** Base URL of absolute links, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Path of the platform API below `baseUrl`, for links to invoices; default `/v1`. */
  readonly platformPrefix?: string | undefined;
  /** Counts the SCIM users and groups of an organization; default: their numbers are not known. */
  readonly scimCounts?: ScimResourceCounts | undefined;
  /** How many mails are sent; default {@link DEFAULT_MAIL_LIMITS}. */
  readonly mailLimits?: MailLimits | undefined;
  /** Default {@link createPasswords}. */
  readonly passwords?: Passwords | undefined;
  /** This instance's quota meter, whose unspent units do not count as used; default none. */
  readonly meter?: UnspentUnits | undefined;
  /** How invoices become paid; default `on_issue`. */
  readonly settlement?: Settlement | undefined;
  /**
   * Renders invoices, such as `createInvoiceRenderer()` of `@probity/platform/pdf`; without it
   * links to invoices answer 503.
   */
  readonly renderInvoice?: InvoiceRenderer | undefined;
}

/**
 * Creates the platform services. The runtime needs a secret box: it seals tokens until they are
 * mailed and the secrets of second factors, and its keys sign access tokens and links.
 */
export function createPlatform(runtime: Runtime, options: PlatformOptions): Platform {
  const secretBox = requireSecretBox(runtime, 'The platform');
  const { storage, baseUrl, meter, settlement = 'on_issue', renderInvoice } = options;
  const { platformPrefix = PLATFORM_PREFIX, mailLimits } = options;
  const { passwords = createPasswords({ random: runtime.random }) } = options;
  const usage = createUsage(runtime, { storage, meter });
  return {
    organizations: createOrganizations(runtime, { storage }),
    members: createMembers(runtime, { storage, secretBox, mailLimits }),
    invitations: createInvitations(runtime, { storage, secretBox, passwords, mailLimits }),
    provisioning: createMemberProvisioning(runtime, {
      storage,
      notices: createOwnerNotices(runtime),
    }),
    apiKeys: createApiKeys(runtime, { storage }),
    scim: createScimAdministration(runtime, {
      storage,
      baseUrl,
      counts: options.scimCounts,
    }),
    subscriptions: createSubscriptions(runtime, { storage, settlement, usage }),
    invoices: createInvoices(runtime, {
      storage,
      links: createInvoiceLinks(secretBox, runtime.clock),
      platformUrl: () => baseUrl() + platformPrefix,
      renderInvoice,
    }),
    usage,
    instances: createInstances(runtime, { storage }),
    instanceUsage: createInstanceUsage(runtime, { storage }),
    auditLog: createAuditLog(runtime.database),
    signIn: createSignIn(runtime, { storage, secretBox, passwords }),
  };
}
