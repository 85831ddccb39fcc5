import type { TestContext } from 'node:test';
import type { Role } from '@probity/core';
import type { Call } from '@probity/core/testing';
import { createTestTenant, serveRouter } from '@probity/core/testing';
import { createWebhookRouter } from '../src/koa.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
type Body = any;

/** Serves the world's webhooks; tokens are roles, and `stranger` is the owner of another organization. */
export async function serve(t: TestContext, world: World): Promise<Call<Body>> {
  const stranger = await createTestTenant(world.opened);
  const { principal } = world.context;
  const router = createWebhookRouter(world, {
    checkReplies: true,
    authenticate: async ({ token }) =>
      token === 'stranger'
        ? { ...principal, organizationId: stranger.organizationId }
        : { ...principal, role: token as Role },
  });
  return serveRouter<Body>(t, router, { token: 'owner' });
}
