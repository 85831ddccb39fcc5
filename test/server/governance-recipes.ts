import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { call } from './support.ts';

type GovernanceWorld = Pick<RecipeWorld, 'url' | 'key'>;

/** The path of alerts. */
const ALERTS = '/api/v1/alerts';
const SETTINGS = '/api/v1/governance/settings';

/** The path of policies. */
const POLICIES = '/api/v1/governance/policies';

const CONTACTS = {
  name: 'Contacts are redacted',
  description: 'Replaces addresses and telephone numbers in answers.',
  rules: [{ stage: 'pii_scanner', types: ['email', 'phone_number'], action: 'redact' }],
};

/** The path of protected texts. */
const PROTECTED_TEXTS = '/api/v1/governance/protected-texts';

const PRICES = {
  name: 'Price list',
  text: 'Partners in the northern region have a rebate of fourteen percent on orders above nine hundred pieces.',
};

/** Creates a protected text; returns its id. */
export async function protectedTextId({ url, key }: GovernanceWorld): Promise<string> {
  return (await call(url + PROTECTED_TEXTS, key, 'POST', PRICES)).body.data.id;
}

/** Creates a policy that applies to the scans that name it; returns its id. */
export async function policyId({ url, key }: GovernanceWorld): Promise<string> {
  const answer = await call(url + POLICIES, key, 'POST', { ...CONTACTS, default: false });
  return answer.body.data.id;
}

/** Scans a text that is redacted with tokens; returns the sealed map. */
async function redactionMapOf(world: GovernanceWorld): Promise<string> {
  const policyIds = [await policyId(world)];
  const body = { response: 'Write to maria.keller@example.org.', redaction: 'token', policyIds };
  const answer = await call(`${world.url}/api/v1/governance/scan`, world.key, 'POST', body);
  return answer.body.data.redactionMap;
}

const SCANS = '/api/v1/governance/scans';

/** Submits a batch of so many items; returns its id. */
export async function batchId({ url, key }: GovernanceWorld, size = 1): Promise<string> {
  const response = 'Paris is on the Seine. '.repeat(size);
  const items = Array.from({ length: size }, () => ({ response }));
  const answer = await call(url + SCANS, key, 'POST', { items });
  return answer.body.data.id;
}

/** A batch that is running for longer than it takes to cancel it: as many items of as many sentences. */
const LONG_BATCH = 400;

const DOORS = '/api/v1/doors';

const chat = (content: string) => ({ messages: [{ role: 'user', content }] });
const choices = (content: string) => ({ choices: [{ message: { role: 'assistant', content } }] });

/** A call of a gateway with a text that is flagged, and with another one. */
const door =
  (path: string, bodyOf: (text: string) => unknown): CallRecipe =>
  async () => ({
    path: DOORS + path,
    status: 200,
    body: bodyOf('Write to maria.keller@example.org.'),
    otherBody: bodyOf('Paris is on the Seine.'),
  });

/** How the protocols of gateways are called. Their calls create their own records and change no others. */
export const DOOR_POSTS: Readonly<Record<string, CallRecipe>> = {
  guardLitellm: door('/litellm/beta/litellm_basic_guardrail_api', (text) => ({
    ...{ input_type: 'request', texts: [text], litellm_call_id: 'call-1', request_data: {} },
  })),
  guardAgentgatewayRequest: door('/agentgateway/request', (text) => ({ body: chat(text) })),
  guardAgentgatewayResponse: door('/agentgateway/response', (text) => ({ body: choices(text) })),
  guardPortkey: door('/portkey', (text) => ({
    ...{ eventType: 'afterRequestHook', provider: 'openai', requestType: 'chatComplete' },
    ...{ request: { json: chat('Hi'), text: 'Hi' }, response: { json: choices(text), text } },
  })),
  createModeration: door('/openai/v1/moderations', (input) => ({ input })),
};

/** Makes an alert of its own; returns its id. */
async function alertId({ url, key }: GovernanceWorld): Promise<string> {
  const body = { response: 'Write to maria.keller@example.org.', policyIds: ['pol_builtin'] };
  const scan = await call(`${url}/api/v1/governance/scan`, key, 'POST', body);
  const scanId = scan.body.data?.id ?? scan.body.governance.scan_id;
  const alerts = await call(`${url}${ALERTS}?scanId=${scanId}`, key);
  return alerts.body.data[0].id;
}

/** An alert with a comment; returns its id. */
export async function commentedAlertId(world: GovernanceWorld): Promise<string> {
  const id = await alertId(world);
  const comment = { text: 'Asked the team of the chat assistant.' };
  await call(`${world.url}${ALERTS}/${id}/comments`, world.key, 'POST', comment);
  return id;
}

/** The id of the owner. */
async function ownerId({ url, key, organizationId }: RecipeWorld): Promise<string> {
  const { body } = await call(`${url}/v1/organizations/${organizationId}/members`, key);
  return body.members.find(({ role }: { role: string }) => role === 'owner').id;
}

const RESOLUTION = { resolution: 'A test number, no customer’s.' };

/** How each POST to one alert is called, by operation. */
const ALERT_POSTS: Readonly<Record<string, CallRecipe>> = {
  resolveAlert: async (world) => ({
    path: `${ALERTS}/${await alertId(world)}/resolve`,
    status: 200,
    body: RESOLUTION,
    otherBody: { resolution: 'Deleted from the answer.' },
  }),
  acknowledgeAlert: async (world) => ({
    path: `${ALERTS}/${await alertId(world)}/acknowledge`,
    status: 200,
  }),
  assignAlert: async (world) => ({
    path: `${ALERTS}/${await alertId(world)}/assign`,
    status: 200,
    body: { memberId: await ownerId(world) },
    otherBody: { memberId: null },
  }),
  commentAlert: async (world) => ({
    path: `${ALERTS}/${await alertId(world)}/comments`,
    status: 201,
    body: { text: 'Asked the team of the chat assistant.' },
    otherBody: { text: 'They know.' },
  }),
  resolveManyAlerts: async (world) => ({
    path: `${ALERTS}/resolve`,
    status: 200,
    body: { ids: [await alertId(world)], ...RESOLUTION },
    otherBody: { ids: [await alertId(world)], ...RESOLUTION },
  }),
  acknowledgeManyAlerts: async (world) => ({
    path: `${ALERTS}/acknowledge`,
    status: 200,
    body: { ids: [await alertId(world)] },
    otherBody: { ids: [await alertId(world)] },
  }),
  assignManyAlerts: async (world) => ({
    path: `${ALERTS}/assign`,
    status: 200,
    body: { ids: [await alertId(world)], memberId: await ownerId(world) },
    otherBody: { ids: [await alertId(world)], memberId: null },
  }),
};

/** How each POST of governance is called, by operation. */
export const GOVERNANCE_POSTS: Readonly<Record<string, CallRecipe>> = {
  ...ALERT_POSTS,
  createPolicy: async () => ({
    path: POLICIES,
    status: 201,
    body: { ...CONTACTS, default: false },
    otherBody: { name: 'Trial', mode: 'monitor', rules: [] },
  }),
  createScanBatch: async () => ({
    path: SCANS,
    status: 202,
    body: {
      items: [
        { prompt: 'How do I reach Maria?', response: 'Write to maria.keller@example.org.' },
        { response: 'Sure! Her SSN is 536-22-8145.', metadata: { row: 2 } },
      ],
    },
    otherBody: { items: [{ response: 'Paris is on the Seine.' }] },
  }),
  cancelScanBatch: async (world) => ({
    path: `${SCANS}/${await batchId(world, LONG_BATCH)}/cancel`,
    status: 200,
  }),
  ...DOOR_POSTS,
  scanStream: async () => ({
    path: '/api/v1/governance/scan/stream',
    status: 200,
    body: { response: 'All is well.' },
    otherBody: { response: 'All is very well.' },
  }),
  createProtectedText: async () => ({
    path: PROTECTED_TEXTS,
    status: 201,
    body: PRICES,
    otherBody: { name: 'Token', kind: 'canary', text: 'canary-7f3a9c51e2' },
  }),
  restoreRedacted: async (world) => {
    const redactionMap = await redactionMapOf(world);
    return {
      path: '/api/v1/governance/restore',
      status: 200,
      body: { text: 'Write to the address above.', redactionMap },
      otherBody: { text: 'Nothing to restore.', redactionMap },
    };
  },
  dryRunPolicy: async () => ({
    path: `${POLICIES}/dry-run`,
    status: 200,
    body: { rules: [{ stage: 'pii_scanner', action: 'block' }], last: 100 },
    otherBody: { rules: [], last: 100 },
  }),
};

/** How each PATCH and DELETE of governance is called, by operation. */
export const GOVERNANCE_CHANGES: Readonly<Record<string, CallRecipe>> = {
  updatePolicy: async (world) => ({
    path: `${POLICIES}/${await policyId(world)}`,
    status: 200,
    body: { mode: 'monitor' },
    otherBody: { enabled: false },
  }),
  updateProtectedText: async (world) => ({
    path: `${PROTECTED_TEXTS}/${await protectedTextId(world)}`,
    status: 200,
    body: { name: 'Prices of partners' },
    otherBody: { name: 'Rebates' },
  }),
  deleteProtectedText: async (world) => ({
    path: `${PROTECTED_TEXTS}/${await protectedTextId(world)}`,
    status: 204,
  }),
  deletePolicy: async (world) => ({ path: `${POLICIES}/${await policyId(world)}`, status: 204 }),
  updateGovernanceSettings: async () => ({
    path: SETTINGS,
    status: 200,
    body: { retention: { scansDays: 365, resolvedAlertsDays: 365 } },
    otherBody: { retention: { preset: 'eu-ai-act' } },
  }),
};

/** Valid bodies of changes, so that only the identifier can be refused. */
export const GOVERNANCE_BODIES: Readonly<Record<string, unknown>> = {
  updatePolicy: { name: 'Another name' },
  resolveAlert: RESOLUTION,
  assignAlert: { memberId: null },
  commentAlert: { text: 'Asked the team.' },
  updateProtectedText: { name: 'Another name' },
};
