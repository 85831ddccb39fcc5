// What the tests of the whole service call in place of starting a program.
export type { BootstrappedOrganization } from './bootstrap-command.ts';
export { createOrganization } from './bootstrap-command.ts';
export type { CommandContext } from './context.ts';
export { main } from './main.ts';
export { createRateLimiter } from './rate-limiter.ts';
