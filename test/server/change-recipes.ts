import { randomUUID } from 'node:crypto';
import { EVIDENCE_CHANGES } from './evidence-recipes.ts';
import { GOVERNANCE_CHANGES } from './governance-recipes.ts';
import { INTEGRATION_CHANGES } from './integration-recipes.ts';
import { KNOWLEDGE_CHANGES } from './knowledge-recipes.ts';
import type { CallRecipe } from './post-recipes.ts';
import {
  activeMember,
  confirmedMfa,
  invitationId,
  ownPath,
  PASSWORD,
  PORTAL_TOKENS,
  portalTokenId,
  succeed,
  webhookPath,
} from './post-recipes.ts';
import { call } from './support.ts';

/** How each PATCH and DELETE that takes an Idempotency-Key is called, by operation. */
export const CHANGE_RECIPES: Readonly<Record<string, CallRecipe>> = {
  changeMemberRole: async (world) => ({
    path: ownPath(world, `/members/${(await activeMember(world)).id}`),
    status: 200,
    body: { role: 'editor' },
    otherBody: { role: 'member' },
  }),
  ...EVIDENCE_CHANGES,
  ...GOVERNANCE_CHANGES,
  ...KNOWLEDGE_CHANGES,
  ...INTEGRATION_CHANGES,
  deleteWebhook: async (world) => ({ path: await webhookPath(world), status: 204 }),
  disableMfa: async (world) => {
    const { key, codes } = await confirmedMfa(world);
    const [otp, otherOtp] = codes;
    return {
      path: '/v1/auth/mfa',
      status: 204,
      key,
      body: { password: PASSWORD, otp },
      otherBody: { password: PASSWORD, otp: otherOtp },
    };
  },
  disableScim: async (world) => {
    await succeed(world, ownPath(world, '/scim'));
    return { path: ownPath(world, '/scim'), status: 204 };
  },
  endSession: async (world) => {
    const { email } = await activeMember(world);
    const credentials = { email, password: PASSWORD };
    await succeed(world, '/v1/auth/login', credentials);
    const key = (await succeed(world, '/v1/auth/login', credentials)).access_token ?? '';
    const { sessions } = (await call(`${world.url}/v1/auth/sessions`, key)).body as {
      sessions: Array<{ id: string; is_current: boolean }>;
    };
    const other = sessions.find((session) => !session.is_current);
    return { path: `/v1/auth/sessions/${other?.id}`, status: 204, key };
  },
  removeMember: async (world) => ({
    path: ownPath(world, `/members/${(await activeMember(world)).id}`),
    status: 204,
  }),
  revokeApiKey: async (world) => {
    const path = ownPath(world, '/api-keys');
    return { path: `${path}/${(await succeed(world, path, { name: 'CI' })).id}`, status: 204 };
  },
  revokeInvitation: async (world) => ({
    path: ownPath(world, `/invitations/${await invitationId(world)}`),
    status: 204,
  }),
  revokeWebhookPortalTokens: async (world) => ({
    path: `${PORTAL_TOKENS}?id=${await portalTokenId(world)}`,
    status: 204,
  }),
  updateOrganization: async (world) => ({
    path: ownPath(world, ''),
    status: 200,
    body: { name: randomUUID() },
    otherBody: { name: randomUUID() },
  }),
  updateSubscription: async (world) => ({
    path: ownPath(world, '/subscription'),
    status: 200,
    body: { plan: 'professional', auto_renew: false },
    otherBody: { plan: 'professional' },
  }),
  updateWebhook: async (world) => ({
    path: await webhookPath(world),
    status: 200,
    body: { active: false },
    otherBody: { active: true },
  }),
};

/** Operations that end the credential itself: a repetition has none. */
export const LAST_CALLS: ReadonlySet<string> = new Set(['deleteOrganization']);
