import type { GatewayConfig } from '../config/read-config.ts';

/** Says in the environment of a process that it is a worker of a gateway. */
export const WORKER_VARIABLE = 'PROBITY_GATEWAY_WORKER';

/** What primary and worker send each other beside the messages of parts; `ready` comes from the worker. */
export const START = 'start';
export const READY = 'ready';
export const RELOAD = 'reload';
export const STOP = 'stop';

/** The configuration in force when the worker was started. */
export interface StartRequest {
  readonly config: GatewayConfig;
}

/** The two phases of a reload. */
export type ReloadRequest =
  | { readonly phase: 'prepare'; readonly id: number; readonly config: GatewayConfig }
  /** With the configuration for a worker that was started after the first phase. */
  | { readonly phase: 'commit'; readonly id: number; readonly config: GatewayConfig }
  | { readonly phase: 'discard'; readonly id: number };
