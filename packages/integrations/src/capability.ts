import type { Capability, Dialer, Lookup, NetworkAllowList, Runtime } from '@probity/core';
import { createDialer } from '@probity/core';
import { generalErrors } from '@probity/core/koa';
import { createTeams } from './chatops/teams.ts';
import { integrationsDocumentation } from './documentation.ts';
import { integrationsEndpoints } from './http.ts';
import { createCheckIntegration } from './integrations/checks.ts';
import type { MicrosoftEndpoints } from './integrations/clients.ts';
import { MICROSOFT_ENDPOINTS, sealedClientSecrets } from './integrations/clients.ts';
import { createIntegrations } from './integrations/integrations.ts';
import { createStanding } from './integrations/standing.ts';
import { createIncidents } from './itsm/incidents.ts';
import { createServiceNow } from './itsm/service-now.ts';
import { INTEGRATION_REQUESTS } from './remote/metrics.ts';
import type { BackOff } from './remote/remote.ts';
import { createRemote } from './remote/remote.ts';
import { ROUTING_QUEUE } from './routing/queue.ts';
import { createRoutingSubscriber } from './routing/subscriber.ts';
import type { PlanOf } from './routing/worker.ts';
import { createRoutingWorker } from './routing/worker.ts';
import type { IntegrationsServices } from './services.ts';
import type { IntegrationsStorage } from './storage.ts';

/** Options of {@link createIntegrationsCapability}. */
export interface IntegrationsCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: IntegrationsStorage;
  /** Non-public networks that calls may reach. */
  readonly allow: NetworkAllowList;
  /** PEM certificates of authorities of your own, trusted beside the public ones. */
  readonly ca?: readonly string[] | undefined;
  /** Default: the system's. */
  readonly lookup?: Lookup | undefined;
  /** Default: one over `allow`, closed when the worker stops. */
  readonly dialer?: Dialer | undefined;
  /** Default {@link MICROSOFT_ENDPOINTS}. */
  readonly microsoft?: MicrosoftEndpoints | undefined;
  /** The plan of an organization, looked up before an alert is sent; default: all may send alerts. */
  readonly planOf?: PlanOf | undefined;
  /** Retries within a call; default two, after a quarter and half a second. */
  readonly backOff?: BackOff | undefined;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/**
 * The integrations capability: services, endpoints, event subscriber, worker, key rotation, metrics.
 * @throws Error when the runtime has no secret box
 */
export function createIntegrationsCapability(
  runtime: Runtime,
  options: IntegrationsCapabilityOptions,
): Capability<IntegrationsServices> {
  const { storage, allow, ca, lookup, backOff, planOf, prefix = '/api/v1' } = options;
  const { clock, metrics } = runtime;
  const microsoft = options.microsoft ?? MICROSOFT_ENDPOINTS;
  const targets = { allow, clock, ...(lookup ? { lookup } : {}) };
  const dialer = options.dialer ?? createDialer({ ...targets, ...(ca ? { tls: { ca } } : {}) });
  const remote = createRemote({ clock, metrics, dialer, backOff });
  const serviceNow = createServiceNow(remote);
  const teams = createTeams(remote, microsoft);
  const standing = createStanding(runtime, { storage });
  const parts = { storage, remote, serviceNow, teams, standing, microsoft, targets };
  const worker = createRoutingWorker(runtime, { ...parts, planOf });
  const services: IntegrationsServices = {
    integrations: createIntegrations(runtime, parts),
    incidents: createIncidents(runtime, parts),
    check: createCheckIntegration(runtime, parts),
  };
  return {
    name: 'integrations',
    services,
    groups: [
      {
        prefix,
        errorFormat: generalErrors,
        endpoints: integrationsEndpoints(services),
        documentation: integrationsDocumentation,
      },
    ],
    subscribers: [createRoutingSubscriber({ storage })],
    background: [
      {
        name: 'alert routing',
        start: () => worker.start(),
        async stop() {
          await worker.stop();
          if (!options.dialer) await dialer.close();
        },
      },
    ],
    sealed: [sealedClientSecrets(storage)],
    queues: [ROUTING_QUEUE],
    metrics: [INTEGRATION_REQUESTS],
  };
}
