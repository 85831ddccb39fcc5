// Shared by Probity's own packages; not part of the public API.

export type { AuditLog } from './audit/audit-log.ts';
export { createAuditLog, verifyAuditRegister } from './audit/audit-log.ts';
export { changedFields } from './audit/entries.ts';
export type { MemberActor, RequestOrigin } from './audit/recorder.ts';
export { sealedAuditValues } from './audit/sealed-keys.ts';
export type { AuditReads, AuditWrites } from './audit/storage.ts';
export type { NewAuditEntry } from './audit/types.ts';
export { DAY_MS } from './clock.ts';
export type { Grant, RolePrincipal } from './context.ts';
export type { InternalEventMap } from './contract/internal-events.ts';
export type { Rights } from './contract/permissions.ts';
export { isAtLeast, isPermitted, weakerRole } from './contract/permissions.ts';
export type { ScopedTokenPrefix, TokenPrefix } from './contract/prefixes.ts';
export type { MeteredQuota } from './contract/quotas.ts';
export { METERED_QUOTAS } from './contract/quotas.ts';
export { RATE_LIMIT_CLASSES } from './contract/rate-limits.ts';
export type { RuntimeSummary } from './contract/runtime-summary.ts';
export { runtimeSummary } from './contract/runtime-summary.ts';
export type { Scope } from './contract/scopes.ts';
export { SCOPES } from './contract/scopes.ts';
export type {
  ChainFault,
  ChainLink,
  ChainPlace,
  ChainPosition,
  ChainSource,
  ChainVerification,
  HashLink,
} from './crypto/hash-chain.ts';
export { findChainFault, positionAfter, toLink, verifyChain } from './crypto/hash-chain.ts';
export { randomBase62 } from './crypto/random.ts';
export { equalSecrets, hashSecret, sealingKeyOf, toKeyId } from './crypto/secret-box.ts';
export { isWellFormedToken, mintToken, VISIBLE_TOKEN_LENGTH } from './crypto/tokens.ts';
export { isEmailAddress, MAX_EMAIL_LENGTH, mailboxKey } from './email-address.ts';
export { isUnavailable } from './errors.ts';
export { isEventType } from './events/events.ts';
export { OUTBOX_QUEUE, outboxGroups } from './events/outbox.ts';
export { addressNetworks, addressSubject } from './http/address-subject.ts';
export type {
  AuthenticateToken,
  ConfirmToken,
  PresentedToken,
  SignInProof,
} from './http/authentication.ts';
export type { BodyBudget, BodyShare } from './http/body-budget.ts';
export { createBodyBudget, PROCESS_BODY_BUDGET } from './http/body-budget.ts';
export { type BodyEncoding, decompress, encodingOf } from './http/body-encoding.ts';
export { isUtf8Label } from './http/charset.ts';
export type { ConnectionLimits } from './http/connection-limits.ts';
export { parseConnectionLimits } from './http/connection-limits.ts';
export { collectBytes, GrowingBuffer } from './http/growing-buffer.ts';
export type { SpendOptions } from './http/meter.ts';
export { parseOrigins } from './http/page-origins.ts';
export { Places } from './http/places.ts';
export { escapeHtml, staticPagePolicy } from './http/reference/html.ts';
export { isCallerGone } from './http/request-context.ts';
export { validate } from './http/validation.ts';
export type { IdempotencyClaims } from './idempotency/claimed-replies.ts';
export { createClaimedIdempotency } from './idempotency/claimed-replies.ts';
export { IDEMPOTENCY_WINDOW_MS } from './idempotency/idempotency.ts';
export type { IdempotencyClaim, IdempotencyRecord } from './idempotency/storage.ts';
export { createUuid } from './ids.ts';
export type { BatchWrite } from './jobs/batch.ts';
export type { ApplyOutcome } from './jobs/outcome.ts';
export { checkRetryProfile, exponentialDelays, MAX_DELAY_MS, nextAttemptAt } from './jobs/retry.ts';
export type { FailedJob, JobGroup, JobWrites, PendingJob } from './jobs/storage.ts';
export { checkJsonValue, hasRepeatedMember, parseStrictJson } from './json/parse.ts';
export { createKeyedLimit } from './keyed-limit.ts';
export { createRepeating } from './lifecycle/repeating.ts';
export { redactSecrets } from './logging/logger.ts';
export { toMailLine } from './mail/mail.ts';
export type { MailWorkerOptions } from './mail/worker.ts';
export { createMailWorker } from './mail/worker.ts';
export { createMemoryMaintenanceStorage } from './maintenance/memory.ts';
export type { MaintenanceStorage } from './maintenance/storage.ts';
export { isPrintableName } from './names.ts';
export { toCanonicalNetwork } from './outbound/networks.ts';
export { retryAfterOf } from './outbound/retry-after.ts';
export { MAX_URL_LENGTH } from './outbound/url.ts';
export { requireContext, requireKnownOptions } from './probity/known-options.ts';
export { requireFunctions, requirePath } from './probity/member-checks.ts';
export type { RetentionPreset } from './retention/presets.ts';
export { RETENTION_PRESETS } from './retention/presets.ts';
export { coreRetentionRules } from './retention/rules.ts';
export { createTrimmer } from './retention/trimmer.ts';
export { createRetentionWorker, RETENTION_QUEUE } from './retention/worker.ts';
export { requireSecretBox } from './runtime/runtime.ts';
export type { TokenIssuers } from './scoped-tokens/authentication.ts';
export type { IssuedScopedToken, NewScopedToken } from './scoped-tokens/issuance.ts';
export { issueScopedToken, MAX_SCOPED_TOKENS } from './scoped-tokens/issuance.ts';
export type { ScopedToken, TokenIssuer } from './scoped-tokens/types.ts';
export type { KeyFile } from './sealing/key-file.ts';
export { createKeyFile } from './sealing/key-file.ts';
export { rotateKeyFile } from './sealing/key-file-rotation.ts';
export { listSealed } from './sealing/memory.ts';
export type { ResealReport } from './sealing/rotation.ts';
export { resealAll } from './sealing/rotation.ts';
export type { ReplacedValue, SealedKind, SealedValue } from './sealing/sealed-values.ts';
export { createSealedValues } from './sealing/sealed-values.ts';
export { settleEncryptionKeys } from './sealing/settle.ts';
export type { DatabaseLocation } from './settings.ts';
export {
  isPoolerUrl,
  parseDatabaseUrl,
  parseMailFrom,
  parsePort,
  parsePostgresUrl,
  parsePublicUrl,
  parseRedisUrl,
  parseSmtpUrl,
} from './settings.ts';
export { isSqlDatabase } from './sql/is-sql.ts';
export { openSqliteFile } from './sql/sqlite-driver.ts';
export { prepareSqliteFile } from './sql/sqlite-file.ts';
export type { Order } from './storage/memory-rows.ts';
export { byCreation, byId, newestFirst, owned, pageOf } from './storage/memory-rows.ts';
export type { MemoryTableDefinition, TenantKey } from './storage/memory-table.ts';
export { defineMemoryTable } from './storage/memory-table.ts';
export { combineResources } from './storage/resources.ts';
export { createMemoryTenants, deleteRowsOf, isPresent } from './tenants/memory.ts';
export { createTenantRemovalWorker, removeTenant } from './tenants/removal.ts';
