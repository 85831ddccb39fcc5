import type {
  EventRecord,
  JobOutcome,
  LeasedJob,
  Plan,
  Runtime,
  SystemActor,
  Worker,
} from '@probity/core';
import { createWorker, done, failed, PLANS, retryAt } from '@probity/core';
import { createUuid, requireSecretBox } from '@probity/core/internal';
import { toCard } from '../chatops/card.ts';
import type { Teams } from '../chatops/teams.ts';
import type { MicrosoftEndpoints } from '../integrations/clients.ts';
import { openClient } from '../integrations/clients.ts';
import type { Standing } from '../integrations/standing.ts';
import type { Connection, Routing } from '../integrations/types.ts';
import type { ServiceNow } from '../itsm/service-now.ts';
import { RemoteFailure } from '../remote/failure.ts';
import type { IntegrationsStorage } from '../storage.ts';
import type { RoutedAlert } from './alert.ts';
import { alertOf, correlationIdOf, toCardContent, toIncident } from './alert.ts';
import { ROUTING_QUEUE } from './queue.ts';

/** The plan of an organization; null when it has none any more. */
export type PlanOf = (organizationId: string) => Promise<Plan | null>;

/** Dependencies of the worker beside a runtime with a secret box. */
export interface RoutingOptions {
  readonly storage: IntegrationsStorage;
  readonly serviceNow: ServiceNow;
  readonly teams: Teams;
  readonly standing: Standing;
  readonly microsoft: MicrosoftEndpoints;
  /** Default: every organization may send alerts. */
  readonly planOf?: PlanOf | undefined;
}

/** An alert is sent to a system this many at a time, so that others have their turns there. */
const GROUP_CONCURRENCY = 4;
const CONCURRENCY = 16;
/** The lowest plan with the feature `custom_integrations`. */
const LEAST_PLAN: Plan = 'enterprise';
/** How long after the alert a system may ask to come back later; then the worker's own schedule counts. */
const PATIENCE_MS = 24 * 3_600_000;
const MAX_WAIT_MS = 3_600_000;

/** An alert and where it goes. */
interface Route {
  readonly connection: Connection;
  readonly routing: Routing;
  readonly alert: RoutedAlert;
}

/**
 * Creates the worker that sends alerts to external systems: an incident, found by its correlation where an earlier
 * attempt has created it, or a message, which an attempt that was interrupted may repeat. What fails is tried again
 * by the worker's schedule, for about ten hours, or when the system says.
 */
export function createRoutingWorker(runtime: Runtime, options: RoutingOptions): Worker {
  const { database, clock, logger, ids, audit } = runtime;
  const { storage, standing } = options;
  const send = createSend(runtime, options);
  return createWorker({
    ...{ database, clock, logger, ids, queue: ROUTING_QUEUE },
    concurrency: CONCURRENCY,
    groupConcurrency: GROUP_CONCURRENCY,
    async handler(job, signal, waiting) {
      const route = await routeOf(runtime, options, job);
      if (!route) return done();
      const { connection, alert } = route;
      const by: SystemActor = {
        organizationId: connection.organizationId,
        system: 'alert-router',
      };
      waiting();
      try {
        const sent = await send(route, signal);
        // Locks the end of the organization's audit log.
        return done(
          ({ session }) =>
            storage.transaction({ session }, async (tx) => {
              await standing.succeeded(tx, by, connection);
              const target = { type: 'alert', id: alert.alertId };
              const after = { integrationId: connection.id, ...sent };
              await audit.record(tx, by, 'alert.routed', target, { after });
            }),
          { byTenant: true },
        );
      } catch (error) {
        await standing.failed(by, connection, error);
        return afterFailure(error, alert, clock.now());
      }
    },
  });
}

/** What a job is about; null when nothing is to be sent any more. */
async function routeOf(
  { database }: Runtime,
  { storage, planOf }: RoutingOptions,
  { payload }: LeasedJob,
): Promise<Route | null> {
  const { organizationId = '', integrationId = '', eventId = '' } = payload;
  const connection = await storage.findConnection(organizationId, integrationId);
  if (!connection?.routing) return null;
  const plan = planOf ? await planOf(organizationId) : LEAST_PLAN;
  if (plan === null || PLANS.indexOf(plan) < PLANS.indexOf(LEAST_PLAN)) return null;
  const [event]: EventRecord[] = await database.kernel(database.reader).findEvents([eventId]);
  const alert = event ? alertOf(event) : null;
  return alert && { connection, routing: connection.routing, alert };
}

/** Sends an alert; returns what the audit log has of it. */
function createSend(runtime: Runtime, { serviceNow, teams, microsoft }: RoutingOptions) {
  const secretBox = requireSecretBox(runtime, 'integrations');
  return async ({ connection, routing, alert }: Route, signal: AbortSignal) => {
    const client = openClient(connection, secretBox, microsoft);
    if (connection.type === 'itsm') {
      const instance = { url: connection.target, client };
      const correlation = { id: correlationIdOf(alert) };
      const incident = toIncident(alert, routing);
      const { id, number } = await serviceNow.createIncident(instance, incident, correlation, {
        signal,
      });
      return { incidentId: id, number };
    }
    const card = toCard(toCardContent(alert));
    const messageId = await teams.post(client, routing, card, createUuid(runtime), { signal });
    return { messageId };
  };
}

/**
 * When the alert is sent again.
 * @throws the error, for the worker's own schedule
 */
function afterFailure(error: unknown, alert: RoutedAlert, now: Date): JobOutcome {
  if (!(error instanceof RemoteFailure)) throw error;
  const { kind, status, retryAfterMs, message } = error;
  if (kind === 'interrupted') return retryAt(now);
  // What is refused for its content is refused again; a channel may come back, and rights too.
  if (kind === 'rejected' && status !== 404) return failed(message);
  const isPatient = now.getTime() - alert.createdAt.getTime() < PATIENCE_MS;
  if (kind === 'limited' && retryAfterMs > 0 && isPatient) {
    return retryAt(new Date(now.getTime() + Math.min(retryAfterMs, MAX_WAIT_MS)));
  }
  throw error;
}
