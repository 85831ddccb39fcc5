// What the tests of the whole service call in place of starting a program.
export { verifyAuditLogs } from './audit-command.ts';
export type { BootstrappedOrganization } from './bootstrap-command.ts';
export { createOrganization } from './bootstrap-command.ts';
export { createRateLimiter } from './rate-limiter.ts';
