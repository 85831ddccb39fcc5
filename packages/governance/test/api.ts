import type { Principal } from '@probity/core';
import type { RouterOptions } from '@probity/core/koa';
import type { Answer, Call } from '@probity/core/testing';
import { serveRouter } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createGovernanceRouter } from '../src/koa.ts';
import type { World, WorldOptions } from './world.ts';
import { createWorld } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
type Body = any;

/** A world with its HTTP API under `/api/v1`. */
export interface Api extends World {
  /** Sends a request as the key `token` names: `owner`, `editor`, `member`, `viewer` or `stranger`. */
  readonly request: Call<Body>;
  /** Address of the API, with its prefix. */
  readonly url: string;
  /** Posts to `/governance/scan`. */
  postScan(body: unknown, token?: string): Promise<Answer<Body>>;
}

/** Keys by token: four roles in the organization and one of another organization. */
function principals({ context }: World): Map<string, Principal> {
  const { principal } = context;
  return new Map<string, Principal>([
    ['owner', principal],
    ['editor', { ...principal, keyId: 'key_editor', memberId: 'mem_editor', role: 'editor' }],
    ['member', { ...principal, keyId: 'key_member', role: 'member' }],
    ['viewer', { ...principal, keyId: 'key_viewer', role: 'viewer' }],
    ['stranger', { ...principal, keyId: 'key_stranger', organizationId: 'org_other' }],
  ]);
}

/** A real HTTP server over a separate world. */
export async function createApi(
  test: TestLifetime,
  worldOptions: WorldOptions = {},
  options: Partial<RouterOptions> = {},
): Promise<Api> {
  const world = await createWorld(test, worldOptions);
  const keys = principals(world);
  const prefix = '/api/v1';
  const router = createGovernanceRouter(world, {
    authenticate: async ({ token }) => keys.get(token ?? '') ?? null,
    prefix,
    checkReplies: true,
    ...options,
  });
  const request = await serveRouter<Body>(test, router, { prefix, token: 'owner' });
  const { url } = await request('GET', '/alerts');
  return {
    ...world,
    request,
    url: url.slice(0, -'/alerts'.length),
    postScan: (body, token) => request('POST', '/governance/scan', body, token),
  };
}
