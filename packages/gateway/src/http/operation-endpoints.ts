import type { CallContext } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { GatewayHealth } from '../monitoring/health.ts';
import type { Reloader } from '../reload/reloader.ts';

const checks = z.record(z.string(), z.string());
const health = z.strictObject({
  status: z.enum(['ok', 'degraded', 'error']),
  timestamp,
  checks,
});
const readiness = z.strictObject({ ready: z.boolean(), checks });
const reloaded = z.strictObject({
  status: z.literal('reloaded'),
  config_hash: z.string(),
  previous_hash: z.string(),
  changed: z.array(z.string()),
  restart_required: z.array(z.string()),
  warnings: z.array(z.string()),
});

const erased = z.strictObject({ status: z.literal('erased'), deleted: z.int() });

/** The probes, which answer from memory and wait for nothing. */
export function probeEndpoints(path: string, state: GatewayHealth, now: () => Date): Endpoint[] {
  const shared = { method: 'GET', tag: 'Status', permission: 'public', rateLimit: 'none' } as const;
  return [
    endpoint({
      ...shared,
      path,
      unknownQuery: 'ignore',
      operationId: 'getHealth',
      summary: 'Check the health of the gateway',
      responses: {
        200: { description: 'The gateway can scan', schema: health },
        503: { description: 'The gateway cannot scan', schema: health },
      },
      async handler({ reply }) {
        const { status, checks: results } = state.health();
        const body = { status, timestamp: now().toISOString(), checks: { ...results } };
        return reply(status === 'error' ? 503 : 200, body);
      },
    }),
    endpoint({
      ...shared,
      path: '/ready',
      unknownQuery: 'ignore',
      operationId: 'getReadiness',
      summary: 'Check whether the gateway takes requests',
      responses: {
        200: { description: 'The gateway takes requests', schema: readiness },
        503: { description: 'The gateway takes no requests', schema: readiness },
      },
      async handler({ reply }) {
        const { ready, checks: results } = state.readiness();
        return reply(ready ? 200 : 503, { ready, checks: { ...results } });
      },
    }),
  ];
}

/** `POST /reload-config`, for keys with the role admin. */
export function reloadEndpoint(reloader: Pick<Reloader, 'reload'>): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/reload-config',
    operationId: 'reloadConfig',
    summary: 'Reload the configuration',
    tag: 'Status',
    permission: 'organization:update',
    rateLimit: 'none',
    responses: { 200: { description: 'The configuration is in force', schema: reloaded } },
    errors: ['conflict', 'validation_failed'],
    async handler({ context, reply }) {
      const { principal, requestId, address } = context;
      const result = await reloader.reload({ actor: principal.keyId, requestId, address });
      return reply(200, {
        status: 'reloaded',
        config_hash: result.hash,
        previous_hash: result.previousHash,
        changed: [...result.changed],
        restart_required: [...result.restartRequired],
        warnings: [...result.warnings],
      });
    },
  });
}

/** Deletes what is stored of a user; returns how many rows there were. */
export type EraseUser = (context: CallContext, userId: string) => Promise<number>;

/** `POST /erase-user`, for keys with the role admin. */
export function eraseEndpoint(eraseUser: EraseUser): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/erase-user',
    operationId: 'eraseUser',
    summary: 'Delete every recorded scan of a user',
    tag: 'Status',
    permission: 'organization:update',
    rateLimit: 'none',
    body: z.strictObject({ user_id: z.string().min(1).max(512) }),
    responses: { 200: { description: 'Nothing is stored of the user', schema: erased } },
    errors: ['unavailable'],
    async handler({ context, body, reply }) {
      return reply(200, { status: 'erased', deleted: await eraseUser(context, body.user_id) });
    },
  });
}
