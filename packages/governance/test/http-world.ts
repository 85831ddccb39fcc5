import type { AddressInfo } from 'node:net';
import type { Principal } from '@probity/core';
import type { RouterOptions } from '@probity/core/koa';
import Koa from 'koa';
import { createGovernanceRouter } from '../src/http/index.ts';
import type { World, WorldOptions } from './world.ts';
import { inWorld, sqlite } from './world.ts';

/** An answer with its parsed body. */
interface Answer {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
  readonly body: any;
}

export interface Api extends World {
  /** Sends a request as the key `token` names: `owner`, `member`, `viewer` or `stranger`. */
  request(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  scan(body: unknown, token?: string): Promise<Answer>;
}

/** Keys by token: three roles in the organization and one of another organization. */
function principals({ context }: World): Map<string, Principal> {
  const { principal } = context;
  return new Map<string, Principal>([
    ['owner', principal],
    ['member', { ...principal, keyId: 'key_member', role: 'member' }],
    ['viewer', { ...principal, keyId: 'key_viewer', role: 'viewer' }],
    ['stranger', { ...principal, keyId: 'key_stranger', organizationId: 'org_other' }],
  ]);
}

/** Runs `test` against a real server over SQLite, under the prefix `/api/v1`. */
export function withApi(
  test: (api: Api) => Promise<void>,
  options: Partial<RouterOptions> = {},
  worldOptions: WorldOptions = {},
): () => Promise<void> {
  const serve = async (world: World) => {
    const keys = principals(world);
    const router = createGovernanceRouter(world, {
      authenticate: async (token) => keys.get(token) ?? null,
      prefix: '/api/v1',
      checkReplies: true,
      ...options,
    });
    const server = new Koa().use(router.routes()).listen(0, '127.0.0.1');
    // One that ends idle connections fails a client that is just using one after a long pause.
    server.keepAliveTimeout = 0;
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const request: Api['request'] = async (method, path, body, token = 'owner') => {
      const response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return {
        status: response.status,
        url: response.url,
        headers: response.headers,
        body: await response.json(),
      };
    };
    const scan: Api['scan'] = (body, token) => request('POST', '/governance/scan', body, token);
    try {
      await test({ ...world, request, scan });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  return inWorld(sqlite, serve, worldOptions);
}
