import type { CallContext, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import { createUuid, requireSecretBox } from '@probity/core/internal';
import { toCard } from '../chatops/card.ts';
import type { Teams } from '../chatops/teams.ts';
import type { ServiceNow } from '../itsm/service-now.ts';
import { RemoteFailure } from '../remote/failure.ts';
import type { OAuthClient } from '../remote/oauth.ts';
import type { Remote } from '../remote/remote.ts';
import type { IntegrationsStorage } from '../storage.ts';
import type { MicrosoftEndpoints } from './clients.ts';
import { openClient } from './clients.ts';
import type { Standing } from './standing.ts';
import type { Connection, IntegrationStatus } from './types.ts';

/** Steps of a check: a new token; a read of the incident table; a message. */
export const CHECK_STEPS = ['token', 'read_incidents', 'post_message'] as const;

/** `skipped`: an earlier step has failed, or there is nowhere to post to. */
export const STEP_RESULTS = ['passed', 'failed', 'skipped'] as const;

/** One step of a check. */
export interface CheckStep {
  readonly step: (typeof CHECK_STEPS)[number];
  readonly result: (typeof STEP_RESULTS)[number];
  /** Why it has failed or was skipped. */
  readonly message: string | null;
}

/** Result of a check. */
export interface IntegrationCheck {
  readonly status: IntegrationStatus;
  readonly checks: readonly CheckStep[];
}

/**
 * Tries the connection: gets a new token, then reads the incident table, or posts a message where alerts are posted.
 * @throws ProbityError `not_found` when the organization has no such integration
 */
export type CheckIntegration = (context: CallContext, id: string) => Promise<IntegrationCheck>;

/** Dependencies of the check beside a runtime with a secret box. */
export interface CheckOptions {
  readonly storage: IntegrationsStorage;
  readonly remote: Remote;
  readonly serviceNow: ServiceNow;
  readonly teams: Teams;
  readonly standing: Standing;
  readonly microsoft: MicrosoftEndpoints;
}

/** A step with what it does; null when there is nothing that it could do. */
type Step = readonly [name: CheckStep['step'], work: (() => Promise<unknown>) | null];

/** Creates the check. */
export function createCheckIntegration(runtime: Runtime, options: CheckOptions): CheckIntegration {
  const { storage, standing, remote, serviceNow, microsoft } = options;
  const secretBox = requireSecretBox(runtime, 'integrations');
  return async (context, id) => {
    const connection = await storage.findConnection(context.principal.organizationId, id);
    if (!connection) throw notFound('integration');
    const client = openClient(connection, secretBox, microsoft);
    const { signal } = context;
    const second: Step =
      connection.type === 'itsm'
        ? ['read_incidents', () => serviceNow.probe({ url: connection.target, client }, { signal })]
        : ['post_message', postOf(runtime, options, connection, client, context)];
    const first: Step = ['token', () => remote.verify(client, { signal })];
    const { checks, error } = await runSteps([first, second]);
    if (error) await standing.failed(context, connection, error);
    await storage.transaction(context, async (tx) => {
      if (!error) await standing.succeeded(tx, context, connection);
      const after = { result: error ? 'failed' : 'passed' };
      const target = { type: 'integration', id };
      await runtime.audit.record(tx, context, 'integration.tested', target, { after });
    });
    return { status: error ? 'failing' : 'connected', checks };
  };
}

function postOf(
  runtime: Runtime,
  { teams }: CheckOptions,
  { id, routing }: Connection,
  client: OAuthClient,
  { signal }: CallContext,
): Step[1] {
  if (!routing) return null;
  const card = toCard({
    title: 'Probity is connected',
    text: 'This is a test. Alerts of the severities below are posted here.',
    color: 'good',
    facts: [
      ['Severities', routing.severities.join(', ')],
      ['Integration', id],
    ],
  });
  return () => teams.post(client, routing, card, createUuid(runtime), { signal });
}

/** Runs steps until one fails. */
async function runSteps(
  steps: readonly Step[],
): Promise<{ checks: CheckStep[]; error: RemoteFailure | null }> {
  const checks: CheckStep[] = [];
  let error: RemoteFailure | null = null;
  for (const [step, work] of steps) {
    if (error || !work) {
      const message = error ? 'An earlier step has failed.' : 'No routing says where to post.';
      checks.push({ step, result: 'skipped', message });
      continue;
    }
    try {
      await work();
      checks.push({ step, result: 'passed', message: null });
    } catch (thrown) {
      if (!(thrown instanceof RemoteFailure)) throw thrown;
      error = thrown;
      checks.push({ step, result: 'failed', message: thrown.message });
    }
  }
  return { checks, error };
}
