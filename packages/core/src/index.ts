// The kernel of Probity, in four sections. `./internal` exports what only Probity's own packages
// use.

// Section 1, vocabulary: the closed lists and the types that every interface shares.

export type { CallContext, Principal } from './context.ts';
export type { EventMap, EventType, Severity } from './contract/events.ts';
export { EVENT_TYPES } from './contract/events.ts';
export type { Permission, Role } from './contract/permissions.ts';
export {
  hasPermission,
  PERMISSIONS,
  permissionsOf,
  ROLE_DESCRIPTIONS,
  ROLES,
} from './contract/permissions.ts';
export type { Plan } from './contract/plans.ts';
export { isPlan, PLANS } from './contract/plans.ts';
export type { IdPrefix } from './contract/prefixes.ts';
export type { RateLimit, RateLimitClass, RateLimits } from './contract/rate-limits.ts';
export { DEFAULT_RATE_LIMITS } from './contract/rate-limits.ts';
export type { ErrorKind, ErrorOptions, FieldError } from './errors.ts';
export {
  ERROR_CATALOG,
  notFound,
  ProbityError,
  toProbityError,
  validationError,
} from './errors.ts';
export type { Page, PageOf } from './paging.ts';
export { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, toPageInfo } from './paging.ts';

// Section 2, environment: dependencies that a host passes in; each has a default.

export type { Clock, Timer } from './clock.ts';
export { systemClock } from './clock.ts';
export type { Random } from './crypto/random.ts';
export { systemRandom } from './crypto/random.ts';
export type { EncryptionKeys, SecretBox } from './crypto/secret-box.ts';
export { createSecretBox, parseEncryptionKey, parseEncryptionKeys } from './crypto/secret-box.ts';
export type {
  Authenticate,
  AuthenticationRequest,
  Caller,
} from './http/authentication.ts';
export type { Meter } from './http/meter.ts';
export type { Ids } from './ids.ts';
export { createIds } from './ids.ts';
export type { Lifecycle, LifecyclePart, Service } from './lifecycle/lifecycle.ts';
export { createLifecycle } from './lifecycle/lifecycle.ts';
export type { LogFields, Logger, LoggerOptions, LogLevel } from './logging/logger.ts';
export { createLogger, LOG_LEVELS, silentLogger } from './logging/logger.ts';
export type { Mail, Mailer } from './mail/mail.ts';
export type { OwnerNotice, OwnerNotices } from './mail/owner-notices.ts';
export type { GaugeSample, MetricDefinition, MetricLabels, Metrics } from './metrics.ts';
export { silentMetrics } from './metrics.ts';
export type { RateLimitDecision, RateLimiter } from './rate-limit/rate-limit.ts';
export { createMemoryRateLimiter, parseRateLimits } from './rate-limit/rate-limit.ts';
export type { Capability } from './runtime/capability.ts';
export type { Runtime, RuntimeOptions } from './runtime/runtime.ts';
export { createRuntime } from './runtime/runtime.ts';

// Section 3, storage: databases, transactions, tenants, and records stored with every change.

export type { AuditVerification } from './audit/audit-log.ts';
export { verifyAuditChain } from './audit/audit-log.ts';
export type { AuditChange, AuditRecorder, SystemActor } from './audit/recorder.ts';
export type {
  AuditActor,
  AuditEntry,
  AuditFields,
  AuditFilter,
  AuditTarget,
} from './audit/types.ts';
export type { Idempotency } from './idempotency/idempotency.ts';
export { createIdempotency } from './idempotency/idempotency.ts';
export type { Maintenance } from './maintenance/maintenance.ts';
export { createMaintenance } from './maintenance/maintenance.ts';
export { contextOf } from './probity/context-of.ts';
export type { CapabilityDefinition, CapabilityHost } from './probity/definition.ts';
export type { ProbityOptions } from './probity/options.ts';
export type { Probity } from './probity/probity.ts';
export { createProbity } from './probity/probity.ts';
export type { Retention, RetentionRule } from './retention/retention.ts';
export { createRetention } from './retention/retention.ts';
export type { SealedValues } from './sealing/sealed-values.ts';
export { bindStorage } from './storage/bind.ts';
export type {
  Database,
  DatabaseSession,
  EventStorage,
  KernelOperations,
  Storage,
  TransactionOf,
  TransactionScope,
  Transactions,
} from './storage/database.ts';
export { OUTSIDE_REQUEST } from './storage/database.ts';
export type { MemorySession } from './storage/memory.ts';
export { createMemoryDatabase } from './storage/memory.ts';
export type { MemoryTable } from './storage/memory-table.ts';
export type { UnitOfWork } from './storage/unit-of-work.ts';
export type { Tenants } from './tenants/tenants.ts';
export { createTenants } from './tenants/tenants.ts';

// Section 4, work: events, jobs, and requests to addresses that customers choose.

export type { Emit, EventCause } from './events/emit.ts';
export type { EventRecord } from './events/events.ts';
export type { EventSubscriber, OutboxRelayOptions } from './events/outbox.ts';
export { createOutboxRelay } from './events/outbox.ts';
export type { JobHandler, JobOutcome } from './jobs/outcome.ts';
export { done, failed, retryAt } from './jobs/outcome.ts';
export type { RetryProfile } from './jobs/retry.ts';
export { JOB_RETRY } from './jobs/retry.ts';
export type { LeasedJob, NewJob } from './jobs/storage.ts';
export type { Worker, WorkerOptions } from './jobs/worker.ts';
export { createWorker } from './jobs/worker.ts';
export type { Dialer, DialerOptions, DialRequest, DialResult } from './outbound/dialer.ts';
export { createDialer } from './outbound/dialer.ts';
export type { OutboundErrorCode } from './outbound/failure.ts';
export type { Lookup } from './outbound/lookup.ts';
export { systemLookup } from './outbound/lookup.ts';
export type { CidrList, NetworkAllowList } from './outbound/networks.ts';
export { parseCidrList, parseNetworkAllowList } from './outbound/networks.ts';
export type { TargetCheckOptions } from './outbound/target.ts';
export { checkOutboundTarget } from './outbound/target.ts';
