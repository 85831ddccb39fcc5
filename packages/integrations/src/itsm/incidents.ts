import { createHash } from 'node:crypto';
import type { CallContext, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import { requireSecretBox, validate } from '@probity/core/internal';
import type { MicrosoftEndpoints } from '../integrations/clients.ts';
import { openClient } from '../integrations/clients.ts';
import type { Standing } from '../integrations/standing.ts';
import { RemoteFailure } from '../remote/failure.ts';
import type { IntegrationsStorage } from '../storage.ts';
import { newIncident } from './input.ts';
import type { Correlation, ServiceNow } from './service-now.ts';
import type { Incident, NewIncident } from './types.ts';

/** Incidents in the organization's ITSM system. */
export interface Incidents {
  /**
   * Creates an incident. With an Idempotency-Key in the context, a call that is repeated, also after a failure in its
   * middle, finds the incident that it has created.
   * @throws ProbityError `validation_failed`; `conflict` when no ITSM system is connected, or when it refuses the
   *   credentials or the incident; `unavailable` when it does not answer
   */
  create(context: CallContext, input: NewIncident): Promise<Incident>;
}

/** Dependencies of the service beside a runtime with a secret box. */
export interface IncidentOptions {
  readonly storage: IntegrationsStorage;
  readonly serviceNow: ServiceNow;
  readonly standing: Standing;
  readonly microsoft: MicrosoftEndpoints;
}

/** How long a response is kept under its Idempotency-Key: an incident that is older is of another call. */
const KEY_LIFE_MS = 24 * 3_600_000;
/** Clocks of the two systems may differ by this. */
const CLOCK_MARGIN_MS = 3_600_000;

/** Creates the service. */
export function createIncidents(runtime: Runtime, options: IncidentOptions): Incidents {
  const { audit, clock } = runtime;
  const { storage, serviceNow, standing, microsoft } = options;
  const secretBox = requireSecretBox(runtime, 'integrations');
  return {
    async create(context, input) {
      const checked = validate(newIncident, input, 'input');
      const { organizationId } = context.principal;
      const connection = await storage.findConnectionOf(organizationId, 'itsm');
      if (!connection) throw notConnected();
      const since = new Date(clock.now().getTime() - KEY_LIFE_MS - CLOCK_MARGIN_MS);
      const correlation = correlationOf(context, checked, since);
      const client = openClient(connection, secretBox, microsoft);
      const instance = { url: connection.target, client };
      const { signal } = context;
      const incident = await serviceNow
        .createIncident(instance, checked, correlation, { signal })
        .catch(async (error: unknown) => {
          await standing.failed(context, connection, error);
          throw toServiceError(error);
        });
      await storage.transaction(context, async (tx) => {
        await standing.succeeded(tx, context, connection);
        const after = { integrationId: connection.id, number: incident.number, ...checked };
        const target = { type: 'incident', id: incident.id };
        await audit.record(tx, context, 'incident.created', target, { after });
      });
      return incident;
    },
  };
}

/** The correlation of a call with an Idempotency-Key; its credential and its input are part of it. */
function correlationOf(
  { principal, idempotencyKey }: CallContext,
  input: NewIncident,
  since: Date,
): Correlation | null {
  if (idempotencyKey === undefined) return null;
  const { organizationId, keyId } = principal;
  const parts = JSON.stringify([organizationId, keyId, idempotencyKey, input]);
  return { id: `probity-call-${createHash('sha256').update(parts).digest('hex')}`, since };
}

function notConnected(): ProbityError {
  const message =
    'The organization has no ITSM system: connect one with POST /integrations/itsm {instance_url, client_id, client_secret}.';
  return new ProbityError('conflict', message);
}

/** The error of a call, by who can do something about the failure. */
function toServiceError(error: unknown): unknown {
  if (!(error instanceof RemoteFailure)) return error;
  const { kind, message, retryAfterMs } = error;
  if (kind === 'refused' || kind === 'rejected') {
    const advice =
      kind === 'refused' ? ' Check the credentials of the integration and their roles.' : '';
    const text = `The connected system refused the call: ${message}.${advice}`;
    return new ProbityError('conflict', text, { cause: error });
  }
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new ProbityError('unavailable', 'The connected system does not answer at the moment.', {
    headers: retryAfterMs > 0 ? { 'Retry-After': String(seconds) } : {},
    cause: error,
  });
}
