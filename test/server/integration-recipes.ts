import {
  MICROSOFT_CLIENT,
  SERVICE_NOW_CLIENT,
  startMicrosoftPeer,
  startServiceNowPeer,
} from '@probity/test-support';
import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { call } from './support.ts';

type IntegrationWorld = Pick<RecipeWorld, 'url' | 'key'>;

const INTEGRATIONS = '/api/v1/integrations';

let started: ReturnType<typeof startPeers> | undefined;

async function startPeers() {
  const [serviceNow, microsoft] = [await startServiceNowPeer(), await startMicrosoftPeer()];
  return { serviceNow, microsoft };
}

/** The systems that all servers of this process connect to. */
export function integrationPeers(): ReturnType<typeof startPeers> {
  started ??= startPeers();
  return started;
}

/** The variables by which a server reaches the peers. */
export async function integrationEnvironment(): Promise<Record<string, string>> {
  const { serviceNow, microsoft } = await integrationPeers();
  const ports = [serviceNow.receiver.port, microsoft.receiver.port];
  return {
    PROBITY_INTEGRATIONS_EGRESS_ALLOW: ports.map((port) => `127.0.0.1/32:${port}`).join(),
    PROBITY_INTEGRATIONS_CA_FILE: serviceNow.receiver.certificateFile(),
    PROBITY_MICROSOFT_AUTHORITY_URL: microsoft.authorityUrl,
    PROBITY_MICROSOFT_GRAPH_URL: microsoft.graphUrl,
  };
}

async function itsmSetup() {
  const { serviceNow } = await integrationPeers();
  return { instance_url: serviceNow.url, ...SERVICE_NOW_CLIENT };
}

async function findIntegration({ url, key }: IntegrationWorld, type: string) {
  const { data } = (await call(url + INTEGRATIONS, key)).body;
  return data.find((each: { type: string }) => each.type === type)?.id as string | undefined;
}

/** Connects ServiceNow unless it is connected; returns the id of the integration. */
export async function integrationId(world: IntegrationWorld): Promise<string> {
  const { url, key } = world;
  const answer = await call(`${url}${INTEGRATIONS}/itsm`, key, 'POST', await itsmSetup());
  const id = answer.status === 201 ? answer.body.data.id : await findIntegration(world, 'itsm');
  if (id === undefined) throw new Error(`no integration: ${JSON.stringify(answer.body)}`);
  return id;
}

/** Disconnects a system, so that it can be connected. */
async function disconnect(world: IntegrationWorld, type: string): Promise<void> {
  const id = await findIntegration(world, type);
  if (id) await call(`${world.url}${INTEGRATIONS}/${id}`, world.key, 'DELETE');
}

/** How each POST of integrations is called, by operation. */
export const INTEGRATION_POSTS: Readonly<Record<string, CallRecipe>> = {
  connectChatops: async (world) => {
    await disconnect(world, 'chatops');
    const otherBody = { ...MICROSOFT_CLIENT, tenant_id: 'acme.example' };
    return { path: `${INTEGRATIONS}/chatops`, status: 201, body: MICROSOFT_CLIENT, otherBody };
  },
  connectItsm: async (world) => {
    await disconnect(world, 'itsm');
    const body = await itsmSetup();
    const otherBody = { ...body, client_id: 'another' };
    return { path: `${INTEGRATIONS}/itsm`, status: 201, body, otherBody };
  },
  createIncident: async (world) => {
    await integrationId(world);
    const body = {
      short_description: 'The assistant invented a refund policy',
      description: 'Two answers of the support assistant contradict the knowledge base.',
      ...{ category: 'software', subcategory: 'ai', priority: 2, urgency: 1, impact: 2 },
    };
    const otherBody = { short_description: 'Another incident' };
    return { path: `${INTEGRATIONS}/itsm/incidents`, status: 201, body, otherBody };
  },
  testIntegration: async (world) => ({
    path: `${INTEGRATIONS}/${await integrationId(world)}/test`,
    status: 200,
  }),
};

/** How each PATCH and DELETE of integrations is called, by operation. */
export const INTEGRATION_CHANGES: Readonly<Record<string, CallRecipe>> = {
  updateIntegration: async (world) => ({
    path: `${INTEGRATIONS}/${await integrationId(world)}`,
    status: 200,
    body: { routing: { severities: ['high', 'critical'], category: 'software' } },
    otherBody: { routing: null },
  }),
  deleteIntegration: async (world) => ({
    path: `${INTEGRATIONS}/${await integrationId(world)}`,
    status: 204,
  }),
};

/** Valid bodies of changes, so that only the identifier can be refused. */
export const INTEGRATION_BODIES: Readonly<Record<string, unknown>> = {
  updateIntegration: { routing: null },
};
