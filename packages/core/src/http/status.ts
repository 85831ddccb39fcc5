import { z } from 'zod';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { GroupDocumentation } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.generated.ts';
import { dataObject, timestamp } from './schemas.ts';

/** The API's version, independent of the packages' versions (contract, section 7). */
export const API_VERSION = '1.0.0';

/** The document's fields about the API, beside its base URLs. */
export const API_INFO = Object.freeze({
  title: 'Probity',
  version: API_VERSION,
  description:
    'Governance for what AI systems say: scans prompts and responses, applies policies, raises ' +
    'alerts and sends events.',
});

/** Documentation of the endpoints about the service itself. */
export const STATUS_DOCUMENTATION: GroupDocumentation = Object.freeze({
  examples,
  tags: { Status: 'The service itself: its version and state, probes, and its documentation.' },
});

/** Status of the service. */
export type ServiceStatus = 'operational' | 'degraded' | 'maintenance';

/** A dependency of the service; `check` rejects when it does not work. */
export interface HealthCheck {
  readonly name: string;
  check(): Promise<void>;
}

const CHECK_TIMEOUT_MS = 5_000;

const status = z
  .strictObject({
    apiVersion: z.string(),
    status: z.enum(['operational', 'degraded', 'maintenance']),
    lastMaintenance: timestamp.nullable(),
  })
  .meta({ id: 'ServiceStatus' });

const results = z.record(z.string(), z.string());

const health = z
  .strictObject({ status: z.string(), timestamp, checks: results })
  .meta({ id: 'Health' });

const readiness = z.strictObject({ ready: z.boolean(), checks: results }).meta({ id: 'Readiness' });

/**
 * `GET /status` of the general API, relative to `/api`; needs no key. Default: never in
 * maintenance.
 */
export function statusEndpoints(
  checks: readonly HealthCheck[],
  maintenance?: Maintenance,
): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/status',
      operationId: 'getStatus',
      summary: 'Get the version and status of the API',
      description:
        'Returns the version of the API and whether the service is operational, degraded or in maintenance. Needs no API key.',
      tag: 'Status',
      permission: 'public',
      rateLimit: 'none',
      responses: { 200: { description: 'The version and status', schema: dataObject(status) } },
      async handler({ reply }) {
        const results = await runChecks(checks);
        const isWell = results.every(({ ok }) => ok);
        const state = await maintenance?.state();
        return reply(200, {
          data: {
            apiVersion: API_VERSION,
            status: state?.active ? 'maintenance' : isWell ? 'operational' : 'degraded',
            lastMaintenance: state?.beganAt?.toISOString() ?? null,
          },
        });
      },
    }),
  ];
}

/** `GET /health` and `GET /ready` for load balancers and orchestrators (specification, "Gateway endpoints"). */
export function probeEndpoints(checks: readonly HealthCheck[], now: () => Date): Endpoint[] {
  const shared = { method: 'GET', tag: 'Status', permission: 'public', rateLimit: 'none' } as const;
  return [
    endpoint({
      ...shared,
      path: '/health',
      operationId: 'getHealth',
      summary: 'Check the health of the process and its dependencies',
      description:
        'Runs the checks of the process, such as reaching the database. For monitoring; 503 when one fails.',
      responses: {
        200: { description: 'Every check passes', schema: health },
        503: { description: 'At least one check fails', schema: health },
      },
      async handler({ reply }) {
        const done = await runChecks(checks);
        const isWell = done.every(({ ok }) => ok);
        const words = Object.fromEntries(done.map(({ name, ok }) => [name, ok ? 'ok' : 'failed']));
        const body = {
          status: isWell ? 'ok' : 'degraded',
          timestamp: now().toISOString(),
          checks: words,
        };
        return reply(isWell ? 200 : 503, body);
      },
    }),
    endpoint({
      ...shared,
      path: '/ready',
      operationId: 'getReadiness',
      summary: 'Check whether the process is ready to serve requests',
      description:
        'Runs the same checks as the health probe. For load balancers and orchestrators, which send requests only to processes that are ready.',
      responses: {
        200: { description: 'The process is ready to serve requests', schema: readiness },
        503: { description: 'The process is not ready to serve requests', schema: readiness },
      },
      async handler({ reply }) {
        const done = await runChecks(checks);
        const ready = done.every(({ ok }) => ok);
        const words = done.map(({ name, ok }) => [name, ok ? 'connected' : 'disconnected']);
        return reply(ready ? 200 : 503, { ready, checks: Object.fromEntries(words) });
      },
    }),
  ];
}

interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
}

function runChecks(checks: readonly HealthCheck[]): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async ({ name, check }) => {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS);
      });
      const ok = await Promise.race([check(), timeout]).then(
        () => true,
        () => false,
      );
      clearTimeout(timer);
      return { name, ok };
    }),
  );
}
