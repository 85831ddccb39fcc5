import type { Capability, LifecyclePart, Mailer, OwnerNotices, Runtime } from '@probity/core';
import type { AuthenticateToken, ConfirmToken, TokenIssuers } from '@probity/core/internal';
import { requireSecretBox } from '@probity/core/internal';
import { generalErrors, platformErrors } from '@probity/core/koa';
import { createSubscriptionRenewer } from './billing/renewals.ts';
import type { CredentialUsage } from './credentials/credential-usage.ts';
import { createApiKeyUsage, createScimTokenUsage } from './credentials/credential-usage.ts';
import type { ScimClientCredentials } from './credentials/scim-authentication.ts';
import {
  createScimAuthentication,
  createScimClientCredentials,
  createScimConfirmation,
} from './credentials/scim-authentication.ts';
import { instanceDocumentation, platformDocumentation } from './documentation.ts';
import { platformEndpoints } from './endpoints.ts';
import { mailRetentionRules } from './mails/limits.ts';
import { createNoticeMailer, createOwnerNotices, NOTICE_QUEUE } from './mails/owner-notices.ts';
import { createInvitationMailer } from './members/invitation-mailer.ts';
import { MAIL_QUEUE, sealedInvitationTokens } from './members/issue.ts';
import type { BootstrapInput, BootstrapResult } from './organizations/bootstrap.ts';
import { bootstrapFirstOrganization, bootstrapOrganization } from './organizations/bootstrap.ts';
import type { Platform, PlatformOptions } from './platform.ts';
import { createPlatform, PLATFORM_PREFIX } from './platform.ts';
import { createPasswordResetMailer } from './sign-in/password-reset-mailer.ts';
import { PASSWORD_RESET_QUEUE } from './sign-in/password-resets.ts';
import { signInRetentionRules } from './sign-in/retention.ts';
import { sealedSignInValues } from './sign-in/sealed-values.ts';
import {
  createMemberAuthentication,
  createMemberConfirmation,
} from './sign-in/session-authentication.ts';
import { createTokenIssuers } from './sign-in/token-issuers.ts';
import { instanceEndpoints } from './usage/http/instances.ts';
import type { QuotaMeter } from './usage/quota-meter.ts';
import { createQuotaMeter } from './usage/quota-meter.ts';
import { usageRetentionRules } from './usage/retention.ts';

/** Options of the capability; the runtime must have a secret box. */
export interface PlatformCapabilityOptions extends Omit<PlatformOptions, 'meter'> {
  /** Sends invitations, password reset links and notices to owners. */
  readonly mailer: Mailer;
  /** Path prefix of the endpoints that instances report to; default `/api/v1`. */
  readonly generalPrefix?: string | undefined;
}

/** The platform as a program mounts it, with the services that other capabilities use. */
export interface PlatformCapability extends Capability<Platform> {
  /** Authenticates API keys and the access tokens of signed-in members. */
  readonly authenticate: AuthenticateToken;
  /** Looks at them again in the transaction of a write; an option of routers. */
  readonly confirm: ConfirmToken;
  /** Looks up the API keys and sessions that have issued tokens of limited scope. */
  readonly issuers: TokenIssuers;
  /** Access of identity providers to the SCIM API. */
  readonly scimAccess: ScimAccess;
  /** Counts requests against the quotas of plans. */
  readonly meter: QuotaMeter;
  /** Mails the active owners of an organization. */
  readonly notices: OwnerNotices;
  readonly serving: readonly LifecyclePart[];
  readonly background: readonly LifecyclePart[];
  /** Creates an organization with an active owner, an owner API key and a SCIM token. */
  bootstrap(input: BootstrapInput): Promise<BootstrapResult>;
  /** As `bootstrap`, on a database without organizations; null when it has one already. */
  bootstrapFirst(input: BootstrapInput): Promise<BootstrapResult | null>;
  /** Whether no organization exists. */
  isEmpty(): Promise<boolean>;
}

/** How identity providers are authenticated; for the SCIM API alone, which accepts no API keys. */
interface ScimAccess {
  readonly authenticate: AuthenticateToken;
  readonly confirm: ConfirmToken;
  readonly clientCredentials: ScimClientCredentials;
}

/** Default path prefix of the general API. */
const GENERAL_PREFIX = '/api/v1';

/** Creates the platform capability. */
export function createPlatformCapability(
  runtime: Runtime,
  options: PlatformCapabilityOptions,
): PlatformCapability {
  const { storage, platformPrefix = PLATFORM_PREFIX, generalPrefix = GENERAL_PREFIX } = options;
  const usage = createApiKeyUsage(runtime, { storage });
  const scimUsage = createScimTokenUsage(runtime, { storage });
  const meter = createQuotaMeter(runtime, { storage });
  const services = createPlatform(runtime, { ...options, meter });
  return {
    name: 'platform',
    services,
    groups: [
      {
        prefix: generalPrefix,
        errorFormat: generalErrors,
        endpoints: instanceEndpoints(services.instances, services.instanceUsage),
        documentation: instanceDocumentation,
      },
      {
        prefix: platformPrefix,
        errorFormat: platformErrors,
        endpoints: platformEndpoints(services),
        documentation: platformDocumentation,
      },
    ],
    serving: createServingParts(usage, scimUsage, meter),
    background: createBackgroundParts(runtime, options, services),
    retention: [
      ...usageRetentionRules(storage),
      ...signInRetentionRules(storage),
      ...mailRetentionRules(storage),
    ],
    sealed: [sealedInvitationTokens(storage), ...sealedSignInValues(storage)],
    queues: [MAIL_QUEUE, PASSWORD_RESET_QUEUE, NOTICE_QUEUE],
    authenticate: createMemberAuthentication(runtime, { storage, usage }),
    confirm: createMemberConfirmation(runtime, { storage }),
    issuers: createTokenIssuers(runtime, { storage }),
    scimAccess: {
      authenticate: createScimAuthentication(runtime, { storage, usage: scimUsage }),
      confirm: createScimConfirmation(runtime, { storage }),
      clientCredentials: createScimClientCredentials(runtime, { storage }),
    },
    meter,
    notices: createOwnerNotices(runtime),
    bootstrap: (input) => bootstrapOrganization(runtime, options, input),
    bootstrapFirst: (input) => bootstrapFirstOrganization(runtime, options, input),
    isEmpty: async () => (await options.storage.countOrganizations()) === 0,
  };
}

function createServingParts(
  usage: CredentialUsage,
  scimUsage: CredentialUsage,
  meter: QuotaMeter,
): LifecyclePart[] {
  return [
    { name: 'API key usage', start: usage.start, stop: usage.stop },
    { name: 'SCIM token usage', start: scimUsage.start, stop: scimUsage.stop },
    { name: 'quota meter', start: meter.start, stop: meter.stop },
  ];
}

function createBackgroundParts(
  runtime: Runtime,
  { storage, mailer, baseUrl, mailLimits }: PlatformCapabilityOptions,
  { subscriptions }: Platform,
): LifecyclePart[] {
  const secretBox = requireSecretBox(runtime, 'The platform');
  const mailing = { ...runtime, secretBox, storage, mailer, baseUrl };
  const renewer = createSubscriptionRenewer(runtime, { subscriptions });
  const invitationMailer = createInvitationMailer(mailing);
  const resetMailer = createPasswordResetMailer({ ...mailing, mailLimits });
  const noticeMailer = createNoticeMailer({ ...mailing, mailLimits });
  return [
    { name: 'subscription renewer', start: renewer.start, stop: renewer.stop },
    {
      name: 'invitation mailer',
      start: () => invitationMailer.start(),
      stop: () => invitationMailer.stop(),
    },
    {
      name: 'password reset mailer',
      start: () => resetMailer.start(),
      stop: () => resetMailer.stop(),
    },
    {
      name: 'owner notice mailer',
      start: () => noticeMailer.start(),
      stop: () => noticeMailer.stop(),
    },
  ];
}
