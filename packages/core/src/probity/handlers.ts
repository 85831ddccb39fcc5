import type { IncomingMessage, ServerResponse } from 'node:http';

/** A handler for Express, Connect, middie and node:http. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Middleware of Koa, typed without Koa, which need not be installed. */
export type KoaMiddleware = (ctx: object, next: () => Promise<unknown>) => Promise<void>;

/** The endpoints of a host as handlers. */
export interface HostHandlers {
  readonly node: NodeHandler;
  readonly koa: KoaMiddleware;
}
