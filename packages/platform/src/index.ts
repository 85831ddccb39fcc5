export type { Billing, BillingDependencies, BillingOptions } from './billing/billing.ts';
export { createBilling } from './billing/billing.ts';
export type { InvoiceLinkProof } from './billing/invoice-links.ts';
export type { InvoicePdf, InvoiceRenderer, Invoices, LinkedInvoice } from './billing/invoices.ts';
export type { Settlement } from './billing/invoicing.ts';
export { createMemoryBillingStorage } from './billing/memory.ts';
export type { PlanLimits, PlanTerms } from './billing/plans.ts';
export { BILLING_CURRENCY, PLAN_TERMS } from './billing/plans.ts';
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
export type {
  ApiKeyDependencies,
  ApiKeys,
  IssuedApiKey,
  NewApiKey,
} from './credentials/api-keys.ts';
export { createApiKeys } from './credentials/api-keys.ts';
export type { AuthenticationDependencies } from './credentials/authentication.ts';
export { createApiKeyAuthentication } from './credentials/authentication.ts';
export type {
  CredentialUsage,
  CredentialUsageDependencies,
} from './credentials/credential-usage.ts';
export { createApiKeyUsage, createScimTokenUsage } from './credentials/credential-usage.ts';
export type {
  IssuedScimToken,
  ScimAdministration,
  ScimAdministrationDependencies,
  ScimStatus,
} from './credentials/scim-administration.ts';
export { createScimAdministration } from './credentials/scim-administration.ts';
export { createScimAuthentication } from './credentials/scim-authentication.ts';
export type { ScimTokenReads, ScimTokenWrites } from './credentials/scim-token-storage.ts';
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
export type { MemberChanges, MemberReads, MemberStorage, MemberWrites } from './members/storage.ts';
export type {
  Invitation,
  InvitationOverview,
  InvitationStatus,
  InvitationToken,
} from './members/types.ts';
export { INVITATION_LIFETIME_MS, INVITATION_STATUSES, invitationStatus } from './members/types.ts';
export type {
  BootstrapDependencies,
  BootstrapInput,
  BootstrapResult,
} from './organizations/bootstrap.ts';
export { bootstrapFirstOrganization, bootstrapOrganization } from './organizations/bootstrap.ts';
export { createMemoryPlatformStorage } from './organizations/memory.ts';
export type { OrganizationDependencies, Organizations } from './organizations/organizations.ts';
export { createOrganizations } from './organizations/organizations.ts';
export type { PlatformReads, PlatformStorage, PlatformWrites } from './organizations/storage.ts';
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
} from './organizations/types.ts';
export type { Platform, PlatformDependencies } from './platform.ts';
export { createPlatform } from './platform.ts';
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
export type { Heartbeat, Instances } from './usage/instances.ts';
export { INSTANCE_WINDOW_MS } from './usage/instances.ts';
export { createMemoryUsageStorage } from './usage/memory.ts';
export type { QuotaMeter, QuotaMeterDependencies } from './usage/quota-meter.ts';
export { createQuotaMeter } from './usage/quota-meter.ts';
export { usageRetentionRules } from './usage/retention.ts';
export type { UsageReads, UsageStorage, UsageWrites } from './usage/storage.ts';
export type {
  InstanceCounts,
  InstanceKind,
  QuotaUnits,
  RuntimeInstance,
  UnitsWish,
  UsagePeriod,
} from './usage/types.ts';
export { INSTANCE_KINDS } from './usage/types.ts';
export type { Usage, UsageReport } from './usage/usage.ts';
