import { randomUUID } from 'node:crypto';
import type { SmtpPeer } from '@probity/test-support';
import { until } from '@probity/test-support';
import { EVIDENCE_POSTS } from './evidence-recipes.ts';
import { GOVERNANCE_POSTS } from './governance-recipes.ts';
import { INTEGRATION_POSTS } from './integration-recipes.ts';
import { KNOWLEDGE_POSTS } from './knowledge-recipes.ts';
import { SHIELD_POSTS } from './shield-recipes.ts';
import { CLOSED, call, scanLeak } from './support.ts';
import { totpAt } from './totp.ts';

/** The world of recipes: a server, and an owner of its organization. */
export interface RecipeWorld {
  readonly url: string;
  readonly organizationId: string;
  /** The owner's API key. */
  readonly key: string;
  /** Receives the server's mails. */
  readonly inbox: SmtpPeer;
}

/** One call with an effect. */
export interface PreparedCall {
  readonly path: string;
  readonly status: number;
  /** A credential other than the owner's API key. */
  readonly key?: string;
  readonly body?: unknown;
  /** A different valid body; absent only when the operation takes none. */
  readonly otherBody?: unknown;
}

/** Prepares a call whose effect has not happened yet. */
export type CallRecipe = (world: RecipeWorld) => Promise<PreparedCall>;

/** A path below the organization's own. */
export const ownPath = ({ organizationId }: RecipeWorld, path: string) =>
  `/v1/organizations/${organizationId}${path}`;

/** The password of every member that {@link activeMember} creates. */
export const PASSWORD = 'a long one of my own';

const DAY_MS = 86_400_000;

const newMember = () => ({ email: `${randomUUID()}@acme.example`, role: 'viewer' });

/** Sends a POST that must succeed; returns its body. */
export async function succeed(
  world: RecipeWorld,
  path: string,
  body?: unknown,
): Promise<Record<string, string>> {
  const answer = await call(world.url + path, world.key, 'POST', body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A new member who has accepted the invitation with a password. */
export async function activeMember(world: RecipeWorld): Promise<{ id: string; email: string }> {
  const member = newMember();
  const { id = '' } = await succeed(world, ownPath(world, '/members'), member);
  const [, token] = /token=(\w+)/.exec(await world.inbox.textTo(member.email)) ?? [];
  await succeed(world, '/v1/invitations/accept', { token, password: PASSWORD });
  return { id, email: member.email };
}

/** A new invitation whose mail has been sent, so that no other mail is pending. */
export async function invitationId(world: RecipeWorld): Promise<string> {
  const member = newMember();
  await succeed(world, ownPath(world, '/members'), member);
  await world.inbox.textTo(member.email);
  const path = `${world.url}${ownPath(world, '/invitations?limit=200')}`;
  const { invitations } = (await call(path, world.key)).body as {
    invitations: Array<{ id: string; email: string }>;
  };
  return invitations.find(({ email }) => email === member.email)?.id ?? '';
}

/** Creates a webhook; returns its path. */
export async function webhookPath(
  world: RecipeWorld,
  url = 'https://8.8.8.8/hook',
): Promise<string> {
  const body = { url, events: ['certification.revoked'] };
  const answer = await call(`${world.url}/api/v1/webhooks`, world.key, 'POST', body);
  return `/api/v1/webhooks/${answer.body.data.id}`;
}

/** The path of portal tokens. */
export const PORTAL_TOKENS = '/api/v1/webhooks/portal-tokens';

/** Creates a portal token; returns its id. */
export async function portalTokenId({ url, key }: Pick<RecipeWorld, 'url' | 'key'>) {
  const answer = await call(url + PORTAL_TOKENS, key, 'POST', { capabilities: ['view'] });
  return answer.body.data.id as string;
}

/** Sends a test that fails; returns the path of its delivery, which is held. */
async function heldDeliveryPath(world: RecipeWorld): Promise<string> {
  const path = await webhookPath(world, `https://${CLOSED}/hook`);
  const { data } = (await call(`${world.url}${path}/test`, world.key, 'POST')).body;
  const delivery = `${path}/deliveries/${data.id}`;
  await until(async () => {
    const answer = await call(world.url + delivery, world.key);
    return answer.body.data.attempts.length > 0;
  }, 'an attempt has ended');
  await call(world.url + path, world.key, 'PATCH', { active: false });
  return delivery;
}

/**
 * Begins a replay of more events than are due at a time, of which the first holds up the others for 15
 * seconds, as the webhook is ordered and does not answer; returns its path.
 */
async function runningReplayPath(world: RecipeWorld): Promise<string> {
  const path = await webhookPath(world, `https://${CLOSED}/hook`);
  const since = '2026-01-01T00:00:00.000Z';
  const body = { since, types: ['policy.violated'] };
  for (let event = 0; event < 6; event += 1) await scanLeak(world.url, world.key);
  const changes = { ordered: true, events: ['policy.violated'] };
  await call(world.url + path, world.key, 'PATCH', changes);
  const { data } = (await call(`${world.url}${path}/replay`, world.key, 'POST', body)).body;
  return `${path}/replays/${data.id}`;
}

/** Signs a person in; returns the access token. */
async function signedIn(world: RecipeWorld): Promise<string> {
  const { email } = await activeMember(world);
  const credentials = { email, password: PASSWORD };
  return (await succeed(world, '/v1/auth/login', credentials)).access_token ?? '';
}

const webhook =
  (path: string): CallRecipe =>
  async () => {
    const body = { url: 'https://8.8.8.8/hook', events: ['certification.revoked'] };
    return { path, status: 201, body, otherBody: { ...body, active: false } };
  };

/** Starts MFA enrolment; only `confirmMfa` remains to be called. */
async function begunMfa(world: RecipeWorld): Promise<{ key: string; otps: string[] }> {
  const key = await signedIn(world);
  const { body } = await call(`${world.url}/v1/auth/mfa`, key, 'POST', {
    password: PASSWORD,
  });
  const otps = [0, 30_000].map((laterMs) => totpAt(body.secret, Date.now() + laterMs));
  return { key, otps };
}

/** An enabled second factor, with its recovery codes. */
export async function confirmedMfa(world: RecipeWorld): Promise<{ key: string; codes: string[] }> {
  const { key, otps } = await begunMfa(world);
  const { body } = await call(`${world.url}/v1/auth/mfa/confirm`, key, 'POST', { otp: otps[0] });
  return { key, codes: body.recovery_codes };
}

/** How each POST that takes an Idempotency-Key is called, by operation. */
export const POST_RECIPES: Readonly<Record<string, CallRecipe>> = {
  addMember: async (world) => ({
    path: ownPath(world, '/members'),
    status: 201,
    body: newMember(),
    otherBody: newMember(),
  }),
  beginMfa: async (world) => ({
    path: '/v1/auth/mfa',
    status: 201,
    key: await signedIn(world),
    body: { password: PASSWORD },
    otherBody: { password: 'another one of my own' },
  }),
  changePassword: async (world) => ({
    path: '/v1/auth/password',
    status: 204,
    key: await signedIn(world),
    body: { current_password: PASSWORD, new_password: 'another one of my own' },
    otherBody: { current_password: PASSWORD, new_password: 'a third one of my own' },
  }),
  confirmMfa: async (world) => {
    const { key, otps } = await begunMfa(world);
    const [otp, otherOtp] = otps;
    return {
      path: '/v1/auth/mfa/confirm',
      status: 200,
      key,
      body: { otp },
      otherBody: { otp: otherOtp },
    };
  },
  createApiKey: async (world) => ({
    path: ownPath(world, '/api-keys'),
    status: 201,
    body: { name: 'CI' },
    otherBody: { name: 'CD' },
  }),
  ...EVIDENCE_POSTS,
  ...GOVERNANCE_POSTS,
  ...KNOWLEDGE_POSTS,
  ...SHIELD_POSTS,
  ...INTEGRATION_POSTS,
  createWebhook: webhook('/api/v1/webhooks'),
  createWebhookAtWebhooksCreate: webhook('/api/v1/webhooks/create'),
  createWebhookPortalToken: async () => ({
    path: PORTAL_TOKENS,
    status: 201,
    body: { capabilities: ['view', 'endpoint'] },
    otherBody: { capabilities: ['view'] },
  }),
  enableScim: async (world) => ({
    path: ownPath(world, '/scim'),
    status: 201,
    body: {},
    otherBody: { overlap_seconds: 60 },
  }),
  reactivateMember: async (world) => {
    const path = ownPath(world, `/members/${(await activeMember(world)).id}`);
    await succeed(world, `${path}/suspend`);
    return { path: `${path}/reactivate`, status: 200 };
  },
  redeliverWebhookDelivery: async (world) => ({
    path: `${await heldDeliveryPath(world)}/redeliver`,
    status: 202,
  }),
  renewRecoveryCodes: async (world) => {
    const { key, codes } = await confirmedMfa(world);
    const [otp, otherOtp] = codes;
    return {
      path: '/v1/auth/mfa/recovery-codes',
      status: 200,
      key,
      body: { password: PASSWORD, otp },
      otherBody: { password: PASSWORD, otp: otherOtp },
    };
  },
  reportInstance: async () => {
    const body = { kind: 'gateway', instance_id: randomUUID(), version: '1.0.0' };
    return {
      path: '/api/v1/instances/heartbeat',
      status: 200,
      body,
      otherBody: { ...body, version: '1.0.1' },
    };
  },
  reportUsage: async () => {
    const minute = `${new Date().toISOString().slice(0, 16)}:00Z`;
    const body = { kind: 'gateway', instance_id: randomUUID(), usage: [{ minute, scans: 3 }] };
    return {
      path: '/api/v1/instances/usage',
      status: 200,
      body,
      otherBody: { ...body, usage: [{ minute, scans: 4 }] },
    };
  },
  withdrawUsage: async (world) => {
    const now = Date.now();
    const [since = '', minute = '', until = '', later = ''] = [-DAY_MS, 0, DAY_MS, 2 * DAY_MS].map(
      (from) => `${new Date(now + from).toISOString().slice(0, 16)}:00Z`,
    );
    const instance = { kind: 'gateway', instance_id: randomUUID() };
    await succeed(world, '/api/v1/instances/usage', { ...instance, usage: [{ minute, scans: 3 }] });
    const body = { ...instance, since, until };
    return {
      path: '/api/v1/instances/usage/withdraw',
      status: 200,
      body,
      otherBody: { ...body, until: later },
    };
  },
  recoverWebhook: async (world) => ({
    path: `${await webhookPath(world)}/recover`,
    status: 202,
    body: { since: '2026-01-01T00:00:00.000Z' },
    otherBody: { since: '2026-01-02T00:00:00.000Z' },
  }),
  cancelWebhookReplay: async (world) => ({
    path: `${await runningReplayPath(world)}/cancel`,
    status: 200,
  }),
  replayWebhook: async (world) => ({
    path: `${await webhookPath(world)}/replay`,
    status: 202,
    // A day without events, so that nothing is delivered meanwhile.
    body: { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
    otherBody: { since: '2026-01-01T00:00:00.000Z' },
  }),
  resendInvitation: async (world) => ({
    path: ownPath(world, `/invitations/${await invitationId(world)}/resend`),
    status: 200,
  }),
  rotateWebhookSecret: async (world) => ({
    path: `${await webhookPath(world)}/rotate-secret`,
    status: 200,
    body: { overlap_seconds: 3_600 },
    otherBody: { overlap_seconds: 0 },
  }),
  scan: async () => ({
    path: '/api/v1/governance/scan',
    status: 200,
    body: { response: 'All is well.' },
    otherBody: { response: 'All is very well.' },
  }),
  suspendMember: async (world) => ({
    path: ownPath(world, `/members/${(await activeMember(world)).id}/suspend`),
    status: 200,
  }),
  testWebhook: async (world) => ({
    path: `${await webhookPath(world)}/test`,
    status: 202,
    body: { type: 'alert.created' },
    otherBody: { type: 'alert.resolved' },
  }),
};

/**
 * Operations without a credential, which store no answers: no caller exists under whose key an
 * answer could be stored. Their input alone makes each of them take effect once.
 */
export const PUBLIC_POSTS: ReadonlySet<string> = new Set([
  'acceptInvitation',
  'forgetPassword',
  'logIn',
  'logOut',
  'refreshSession',
  'resetPassword',
]);

/**
 * Operations that take no Idempotency-Key: public ones, and those whose body is stored as it arrives, which change
 * nothing when they are repeated. Those that only read have no effect to look for.
 */
export const UNKEYED_POSTS: ReadonlySet<string> = new Set([
  ...PUBLIC_POSTS,
  ...['dryRunPolicy', 'importNuggets', 'restoreRedacted', 'scanStream'],
]);
