export type { AuditLog, AuditVerification } from './audit/audit-log.ts';
export { createAuditLog, verifyAuditChain } from './audit/audit-log.ts';
export type { ChainFault } from './audit/chain.ts';
export type { AuditedChange } from './audit/entries.ts';
export { auditOf, changedFields, systemAuditOf } from './audit/entries.ts';
export type { AuditReads, AuditWrites } from './audit/storage.ts';
export type {
  AuditActor,
  AuditEntry,
  AuditFields,
  AuditFilter,
  AuditTarget,
  NewAuditEntry,
} from './audit/types.ts';
export type { Billing, BillingDependencies, BillingOptions } from './billing/billing.ts';
export { createBilling } from './billing/billing.ts';
export type { InvoiceLinkProof } from './billing/invoice-links.ts';
export type { InvoicePdf, Invoices, LinkedInvoice } from './billing/invoices.ts';
export type { Settlement } from './billing/invoicing.ts';
export { createMemoryBillingStorage } from './billing/memory.ts';
export type { SubscriptionRenewerDependencies } from './billing/renewals.ts';
export { createSubscriptionRenewer } from './billing/renewals.ts';
export type {
  BillingReads,
  BillingStorage,
  BillingWrites,
  SubscriptionInserts,
} from './billing/storage.ts';
export type {
  SubscriptionChange,
  Subscriptions,
  SubscriptionView,
} from './billing/subscriptions.ts';
export type {
  Invoice,
  InvoiceLine,
  InvoiceStatus,
  Subscription,
  SubscriptionStatus,
} from './billing/types.ts';
export { INVOICE_STATUSES, SUBSCRIPTION_STATUSES } from './billing/types.ts';
export { bindStorage } from './bind-storage.ts';
export type { Clock, Timer } from './clock.ts';
export { sleep, systemClock } from './clock.ts';
export type { CallContext, Principal } from './context.ts';
export type { ErrorKind, ErrorOptions, FieldError } from './errors.ts';
export {
  ERROR_CATALOGUE,
  kindOfStatus,
  notFound,
  ProbityError,
  toProbityError,
  validationError,
} from './errors.ts';
export type { EventMap, EventRecord, EventType, Severity } from './events.ts';
export { EVENT_TYPES, eventOf } from './events.ts';
export type { FileMailerOptions } from './file-mailer.ts';
export { createFileMailer } from './file-mailer.ts';
export type {
  Idempotency,
  IdempotencyDependencies,
  IdempotentOutcome,
  IdempotentRequest,
  KeptReply,
} from './idempotency/idempotency.ts';
export { createIdempotency, IDEMPOTENCY_WINDOW_MS } from './idempotency/idempotency.ts';
export type {
  IdempotencyClaim,
  IdempotencyReads,
  IdempotencyRecord,
  IdempotencyWrites,
} from './idempotency/storage.ts';
export type { IdPrefix, Ids } from './ids.ts';
export { createIds } from './ids.ts';
export type { JobSignal } from './job-signal.ts';
export { createJobSignal } from './job-signal.ts';
export type { ClaimRequest, JobReads, JobWrites, LeasedJob, NewJob } from './jobs.ts';
export { MAX_JSON_DEPTH, parseStrictJson } from './json.ts';
export type { Lifecycle, LifecyclePart, Service } from './lifecycle.ts';
export { createLifecycle } from './lifecycle.ts';
export type { LogFields, Logger, LoggerOptions, LogLevel } from './logger.ts';
export { createLogger, LOG_LEVELS, redactSecrets, silentLogger } from './logger.ts';
export type { Mail, Mailer } from './mail.ts';
export type { MailWorkerOptions } from './mail-worker.ts';
export type { Maintenance, MaintenanceDependencies } from './maintenance/maintenance.ts';
export { createMaintenance } from './maintenance/maintenance.ts';
export { createMemoryMaintenanceStorage } from './maintenance/memory.ts';
export type {
  MaintenanceReads,
  MaintenanceState,
  MaintenanceStorage,
  MaintenanceWrites,
} from './maintenance/storage.ts';
export type { InvitationMailerOptions } from './members/invitation-mailer.ts';
export { createInvitationMailer } from './members/invitation-mailer.ts';
export type {
  AcceptingCall,
  InvitationAnswer,
  InvitationDependencies,
  Invitations,
} from './members/invitations.ts';
export { createInvitations } from './members/invitations.ts';
export { MAIL_QUEUE, sealedInvitationTokens } from './members/issue.ts';
export type { InvitedMember, MemberDependencies, Members, NewMember } from './members/members.ts';
export { createMembers } from './members/members.ts';
export { createMemoryMemberStorage } from './members/memory.ts';
export { removeMember, requireOtherActiveOwner } from './members/rules.ts';
export type {
  MemberChanges,
  MemberReads,
  MemberStorage,
  MemberWrites,
} from './members/storage.ts';
export type {
  Invitation,
  InvitationOverview,
  InvitationStatus,
  InvitationToken,
} from './members/types.ts';
export { INVITATION_LIFETIME_MS, INVITATION_STATUSES, invitationStatus } from './members/types.ts';
export type { MemorySession, MemoryTable } from './memory/database.ts';
export { createMemoryDatabase } from './memory/database.ts';
export { isPrintableName } from './names.ts';
export * from './outbound/index.ts';
export type { EventSubscriber, OutboxRelayOptions } from './outbox.ts';
export { createOutboxRelay, OUTBOX_QUEUE } from './outbox.ts';
export type { Page, PageInfo, PageOf } from './paging.ts';
export { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, toPageInfo } from './paging.ts';
export type { Permission, Role } from './permissions.ts';
export {
  hasPermission,
  isAtLeast,
  PERMISSIONS,
  permissionsOf,
  ROLE_DESCRIPTIONS,
  ROLES,
  weakerRole,
} from './permissions.ts';
export type { ApiKeyDependencies, ApiKeys, IssuedApiKey, NewApiKey } from './platform/api-keys.ts';
export { createApiKeys } from './platform/api-keys.ts';
export type {
  Authenticate,
  AuthenticatedCaller,
  AuthenticationDependencies,
  CredentialOrigin,
  SessionProof,
} from './platform/authentication.ts';
export { createApiKeyAuthentication } from './platform/authentication.ts';
export type {
  BootstrapDependencies,
  BootstrapInput,
  BootstrapResult,
} from './platform/bootstrap.ts';
export { bootstrapFirstOrganization, bootstrapOrganization } from './platform/bootstrap.ts';
export type {
  CredentialUsage,
  CredentialUsageDependencies,
} from './platform/credential-usage.ts';
export { createApiKeyUsage, createScimTokenUsage } from './platform/credential-usage.ts';
export { createMemoryPlatformStorage } from './platform/memory.ts';
export type { OrganizationDependencies, Organizations } from './platform/organizations.ts';
export { createOrganizations } from './platform/organizations.ts';
export type { Plan, PlanLimits, PlanTerms } from './platform/plans.ts';
export { BILLING_CURRENCY, isPlan, PLAN_TERMS, PLANS } from './platform/plans.ts';
export type { Platform, PlatformDependencies } from './platform/platform.ts';
export { createPlatform } from './platform/platform.ts';
export type {
  IssuedScimToken,
  ScimAdministration,
  ScimAdministrationDependencies,
  ScimStatus,
} from './platform/scim-administration.ts';
export { createScimAdministration } from './platform/scim-administration.ts';
export { createScimAuthentication } from './platform/scim-authentication.ts';
export type { ScimTokenReads, ScimTokenWrites } from './platform/scim-token-storage.ts';
export type { PlatformReads, PlatformStorage, PlatformWrites } from './platform/storage.ts';
export type {
  ApiKey,
  ApiKeyIdentity,
  Member,
  MemberStatus,
  Organization,
  OrganizationChanges,
  OrganizationOverview,
  OrganizationSettings,
  ScimToken,
  ScimTokenIdentity,
} from './platform/types.ts';
export type { Random } from './random.ts';
export { randomBase62, systemRandom } from './random.ts';
export type {
  RateLimit,
  RateLimitClass,
  RateLimitDecision,
  RateLimiter,
  RateLimits,
} from './rate-limit.ts';
export {
  createMemoryRateLimiter,
  DEFAULT_RATE_LIMITS,
  parseRateLimits,
  RATE_LIMIT_CLASSES,
} from './rate-limit.ts';
export type { Retention, RetentionDependencies, RetentionRule } from './retention/retention.ts';
export { createRetention } from './retention/retention.ts';
export type { CoreRetentionDependencies } from './retention/rules.ts';
export { coreRetentionRules } from './retention/rules.ts';
export type { RetentionWorkerOptions } from './retention/worker.ts';
export { createRetentionWorker, RETENTION_QUEUE } from './retention/worker.ts';
export type { KeyFile } from './sealing/key-file.ts';
export { createKeyFile } from './sealing/key-file.ts';
export type { KeyFileRotationDependencies } from './sealing/key-file-rotation.ts';
export { rotateKeyFile } from './sealing/key-file-rotation.ts';
export { listSealed } from './sealing/memory.ts';
export type { ResealDependencies, ResealReport } from './sealing/rotation.ts';
export { resealAll } from './sealing/rotation.ts';
export type { ReplacedValue, SealedValue, SealedValues } from './sealing/sealed-values.ts';
export type { SealingKeys } from './sealing/sealing-keys.ts';
export type { EncryptionSettings } from './sealing/settle.ts';
export { settleEncryptionKeys } from './sealing/settle.ts';
export type { DerivedKey, EncryptionKeys, SecretBox } from './secrets.ts';
export {
  createSecretBox,
  equalSecrets,
  hashSecret,
  parseEncryptionKey,
  parseEncryptionKeys,
  sealedPrefix,
  toKeyId,
} from './secrets.ts';
export type { DatabaseLocation } from './settings.ts';
export {
  parseDatabaseUrl,
  parseMailFrom,
  parsePort,
  parsePublicUrl,
  parseRedisUrl,
  parseSmtpUrl,
} from './settings.ts';
export type { SignInCall } from './sign-in/attempts.ts';
export { FAILURE_MEMORY_MS } from './sign-in/attempts.ts';
export type { LoginInput, SignedIn } from './sign-in/login.ts';
export { createMemorySignInStorage } from './sign-in/memory.ts';
export type { Mfa, MfaStatus } from './sign-in/mfa.ts';
export type { PasswordChange } from './sign-in/own-password.ts';
export type { PasswordResetMailerOptions } from './sign-in/password-reset-mailer.ts';
export { createPasswordResetMailer } from './sign-in/password-reset-mailer.ts';
export type { PasswordResets } from './sign-in/password-resets.ts';
export { PASSWORD_RESET_LIFETIME_MS, PASSWORD_RESET_QUEUE } from './sign-in/password-resets.ts';
export type { PasswordCost, PasswordOptions, Passwords } from './sign-in/passwords.ts';
export { createPasswords, PASSWORD_COST } from './sign-in/passwords.ts';
export type { SessionAuthenticationDependencies } from './sign-in/session-authentication.ts';
export {
  createMemberAuthentication,
  createSessionAuthentication,
} from './sign-in/session-authentication.ts';
export type { Current, EndingTokens, Sessions } from './sign-in/sessions.ts';
export { REFRESH_GRACE_MS } from './sign-in/sessions.ts';
export type { SignIn, SignInDependencies } from './sign-in/sign-in.ts';
export { createSignIn } from './sign-in/sign-in.ts';
export type { SignInReads, SignInStorage, SignInWrites } from './sign-in/storage.ts';
export type {
  Account,
  MemberKey,
  PasswordReset,
  SessionIdentity,
  SignInFailures,
  SignInSession,
} from './sign-in/types.ts';
export { ACCESS_TOKEN_SECONDS, SESSION_LIFETIME_MS } from './sign-in/types.ts';
export { sealedSignInValues, signInRetentionRules } from './sign-in/upkeep.ts';
export type {
  Database,
  EventReads,
  EventWrites,
  KernelWrites,
  Outbox,
  Session,
  Storage,
  TransactionScope,
  Transactions,
} from './storage.ts';
export type { TokenPrefix } from './tokens.ts';
export { isWellFormedToken, mintToken, VISIBLE_TOKEN_LENGTH } from './tokens.ts';
export type { ManagedUnitOfWork, UnitOfWork } from './unit-of-work.ts';
export { createUnitOfWork } from './unit-of-work.ts';
export type { Heartbeat, Instances } from './usage/instances.ts';
export { INSTANCE_WINDOW_MS } from './usage/instances.ts';
export { createMemoryUsageStorage } from './usage/memory.ts';
export type { Meter } from './usage/meter.ts';
export type { QuotaMeter, QuotaMeterDependencies } from './usage/quota-meter.ts';
export { createQuotaMeter } from './usage/quota-meter.ts';
export type { UsageReads, UsageStorage, UsageWrites } from './usage/storage.ts';
export type {
  InstanceCounts,
  InstanceKind,
  MeteredQuota,
  QuotaUnits,
  RuntimeInstance,
  UnitsWish,
  UsagePeriod,
} from './usage/types.ts';
export { INSTANCE_KINDS, METERED_QUOTAS } from './usage/types.ts';
export type { Usage, UsageReport } from './usage/usage.ts';
export type { JobHandler, JobOutcome, Worker, WorkerOptions } from './worker.ts';
export { createWorker } from './worker.ts';
