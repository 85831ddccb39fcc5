import type { GatewayConfig } from '../config/read-config.ts';
import type { PlatformRules } from '../platform/rules.ts';

/** Says in the environment of a process that it is a worker of a gateway. */
export const WORKER_VARIABLE = 'PROBITY_GATEWAY_WORKER';

/** What primary and worker send each other beside the messages of parts; `ready` comes from the worker. */
export const START = 'start';
/** Has a process load what it will serve with, before it is told to. */
export const WARM = 'warm';
export const READY = 'ready';
export const RELOAD = 'reload';
export const STOP = 'stop';

/** The configuration in force when the worker was started. */
export interface StartRequest {
  readonly config: GatewayConfig;
  /** What the platform decides. */
  readonly rules: PlatformRules;
}

/** The two phases of a reload. */
export type ReloadRequest =
  | (StartRequest & { readonly phase: 'prepare'; readonly id: number })
  /** With the configuration for a worker that was started after the first phase. */
  | (StartRequest & { readonly phase: 'commit'; readonly id: number })
  | { readonly phase: 'discard'; readonly id: number };
