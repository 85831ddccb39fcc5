interface Ticket {
  readonly isQueued: boolean;
  readonly isRefused: boolean;
  readonly reason: string;
}

interface Writes {
  renameThing(id: string, name: string): Promise<void>;
  keepTicket(ticket: Ticket): Promise<void>;
}

declare global {
  const app: import('koa');
  const database: import('@probity/core/sql').SqlDatabase;
  const createTenants: typeof import('@probity/core').createTenants;
  const z: typeof import('zod').z;
  const endpoint: typeof import('@probity/core/koa').endpoint;
  const dataObject: typeof import('@probity/core/koa').dataObject;
  const createEndpointRouter: typeof import('@probity/core/koa').createEndpointRouter;
  const generalErrors: typeof import('@probity/core/koa').generalErrors;
  const authenticate: import('@probity/core').Authenticate;
  const things: { get(context: object, id: string): Promise<{ id: string; name: string }> };
  const Router: typeof import('@koa/router').Router;
  const createWebhookRouter: typeof import('@probity/webhooks/koa').createWebhookRouter;
  const services: import('@probity/webhooks/koa').WebhookServices;
  const storage: import('@probity/core').Storage<object, Writes>;
  const context: import('@probity/core').CallContext;
  const runtime: import('@probity/core').Runtime;
  const id: string;
  const name: string;
  const before: { name: string };
  const transaction: import('kysely').Transaction<object>;
  const ids: import('@probity/core').Ids;
  const clock: import('@probity/core').Clock;
  const logger: import('@probity/core').Logger;
  const tenantId: string;
  const payload: Readonly<Record<string, string>>;
  const dueAt: Date;
  const createWorker: typeof import('@probity/core').createWorker;
  const retryAt: typeof import('@probity/core').retryAt;
  const failed: typeof import('@probity/core').failed;
  const done: typeof import('@probity/core').done;
  function createTicket(payload: object, signal: AbortSignal): Promise<Ticket>;
}

export {};
