// Organizations

// Billing
export type { InvoiceLinkProof } from './billing/invoice-links.ts';
export type { InvoicePdf, InvoiceRenderer, Invoices, LinkedInvoice } from './billing/invoices.ts';
export type { Settlement } from './billing/invoicing.ts';
export type { PlanLimits, PlanTerms } from './billing/plans.ts';
export { BILLING_CURRENCY, PLAN_TERMS } from './billing/plans.ts';
export type { SubscriptionRenewerOptions } from './billing/renewals.ts';
export { createSubscriptionRenewer } from './billing/renewals.ts';
export type {
  InvoiceReads,
  InvoiceWrites,
  SubscriptionReads,
  SubscriptionWrites,
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
// API keys and SCIM tokens
export type { ApiKeys, IssuedApiKey, NewApiKey } from './credentials/api-keys.ts';
export { createApiKeys } from './credentials/api-keys.ts';
export type { ApiKeyAuthenticationOptions } from './credentials/authentication.ts';
export { createApiKeyAuthentication } from './credentials/authentication.ts';
export type { CredentialUsage, CredentialUsageOptions } from './credentials/credential-usage.ts';
export { createApiKeyUsage, createScimTokenUsage } from './credentials/credential-usage.ts';
export type {
  IssuedScimToken,
  ScimAdministration,
  ScimAdministrationOptions,
  ScimResourceCounts,
  ScimStatus,
  ScimTokenOptions,
} from './credentials/scim-administration.ts';
export { createScimAdministration } from './credentials/scim-administration.ts';
export type {
  IssuedAccessToken,
  ScimAuthenticationOptions,
  ScimClientCredentials,
} from './credentials/scim-authentication.ts';
export {
  createScimAuthentication,
  createScimClientCredentials,
  createScimConfirmation,
} from './credentials/scim-authentication.ts';
export type {
  ApiKeyReads,
  ApiKeyWrites,
  ScimTokenReads,
  ScimTokenWrites,
} from './credentials/storage.ts';
export type {
  ApiKey,
  ApiKeyIdentity,
  ScimToken,
  ScimTokenIdentity,
} from './credentials/types.ts';
export type { MailLimits } from './mails/limits.ts';
export { DEFAULT_MAIL_LIMITS, mailRetentionRules, parseMailLimits } from './mails/limits.ts';
// Members and invitations
export type { InvitationMailerOptions } from './members/invitation-mailer.ts';
export { createInvitationMailer } from './members/invitation-mailer.ts';
export type { InvitationAnswer, InvitationOptions, Invitations } from './members/invitations.ts';
export { createInvitations } from './members/invitations.ts';
export { MAIL_QUEUE, sealedInvitationTokens } from './members/issue.ts';
export type { InvitedMember, MemberOptions, Members, NewMember } from './members/members.ts';
export { createMembers } from './members/members.ts';
export type {
  MemberProvisioning,
  ProvisionedMember,
  ProvisionedSuspension,
  ProvisioningCall,
} from './members/provisioning.ts';
export { createMemberProvisioning } from './members/provisioning.ts';
export type {
  InvitationReads,
  InvitationWrites,
  MemberChanges,
  MemberReads,
  MemberWrites,
} from './members/storage.ts';
export type {
  Invitation,
  InvitationOverview,
  InvitationStatus,
  InvitationToken,
  Member,
  MemberStatus,
  SuspendingParty,
  SuspensionTimes,
} from './members/types.ts';
export {
  INVITATION_LIFETIME_MS,
  INVITATION_STATUSES,
  invitationStatus,
  SUSPENDING_PARTIES,
} from './members/types.ts';
// The whole platform
export { createMemoryPlatformStorage } from './memory.ts';
export type {
  BootstrapInput,
  BootstrapOptions,
  BootstrapResult,
} from './organizations/bootstrap.ts';
export { bootstrapFirstOrganization, bootstrapOrganization } from './organizations/bootstrap.ts';
export type { ClearAllowlistOptions } from './organizations/clear-allowlist.ts';
export { clearAllowlist } from './organizations/clear-allowlist.ts';
export type { Organizations } from './organizations/organizations.ts';
export { createOrganizations } from './organizations/organizations.ts';
export type { OrganizationReads, OrganizationWrites } from './organizations/storage.ts';
export type {
  Organization,
  OrganizationChanges,
  OrganizationOverview,
  OrganizationSettings,
} from './organizations/types.ts';
export type { Platform, PlatformOptions } from './platform.ts';
export { createPlatform } from './platform.ts';
// Signing in
export type { SignInCall } from './sign-in/attempts.ts';
export { FAILURE_MEMORY_MS } from './sign-in/attempts.ts';
export type { LoginInput, SignedIn } from './sign-in/login.ts';
export type { Mfa, MfaProof, MfaStatus } from './sign-in/mfa.ts';
export type { MfaResetOptions } from './sign-in/mfa-reset.ts';
export { resetMfa } from './sign-in/mfa-reset.ts';
export type { PasswordChange } from './sign-in/own-password.ts';
export type { PasswordResetMailerOptions } from './sign-in/password-reset-mailer.ts';
export { createPasswordResetMailer } from './sign-in/password-reset-mailer.ts';
export type { PasswordResets } from './sign-in/password-resets.ts';
export { PASSWORD_RESET_LIFETIME_MS, PASSWORD_RESET_QUEUE } from './sign-in/password-resets.ts';
export type { PasswordCost, PasswordOptions, Passwords } from './sign-in/passwords.ts';
export { createPasswords, PASSWORD_COST } from './sign-in/passwords.ts';
export { signInRetentionRules } from './sign-in/retention.ts';
export { sealedSignInValues } from './sign-in/sealed-values.ts';
export type { MemberAuthenticationOptions } from './sign-in/session-authentication.ts';
export {
  createMemberAuthentication,
  createSessionAuthentication,
} from './sign-in/session-authentication.ts';
export type { Current, EndingTokens, Sessions } from './sign-in/sessions.ts';
export { REFRESH_GRACE_MS } from './sign-in/sessions.ts';
export type { SignIn, SignInOptions } from './sign-in/sign-in.ts';
export { createSignIn } from './sign-in/sign-in.ts';
export type {
  AccountReads,
  AccountWrites,
  PasswordResetReads,
  PasswordResetWrites,
  SecondFactorReads,
  SecondFactorWrites,
  SessionReads,
  SessionWrites,
  SignInFailureReads,
  SignInFailureWrites,
} from './sign-in/storage.ts';
export type {
  Account,
  MemberKey,
  PasswordReset,
  SessionIdentity,
  SignInFailures,
  SignInSession,
} from './sign-in/types.ts';
export { ACCESS_TOKEN_SECONDS, SESSION_LIFETIME_MS } from './sign-in/types.ts';
export type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
// Usage
export type {
  InstanceUsage,
  UsageReceipt,
  UsageRecord,
  UsageStatement,
} from './usage/instance-usage.ts';
export type { Heartbeat, Instances } from './usage/instances.ts';
export { INSTANCE_WINDOW_MS } from './usage/instances.ts';
export type { QuotaMeter, QuotaMeterOptions } from './usage/quota-meter.ts';
export { createQuotaMeter } from './usage/quota-meter.ts';
export { usageRetentionRules } from './usage/retention.ts';
export type { InstanceReads, InstanceWrites, UsageReads, UsageWrites } from './usage/storage.ts';
export type {
  InstanceCounts,
  InstanceKey,
  InstanceKind,
  InstanceMinute,
  LeaseRequest,
  QuotaMonth,
  QuotaUnits,
  RuntimeInstance,
  UsagePeriod,
} from './usage/types.ts';
export { INSTANCE_KINDS } from './usage/types.ts';
export type { PlanLimitChecks, UnspentUnits, Usage, UsageReport } from './usage/usage.ts';
