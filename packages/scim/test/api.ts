import type { TestContext } from 'node:test';
import type { Database, Logger, Role } from '@probity/core';
import { createRuntime } from '@probity/core';
import type { DatabaseTarget } from '@probity/core/testing';
import { createTestTenant, serveKoa } from '@probity/core/testing';
import { createTestClock } from '@probity/test-support';
import { createScimCapability, createScimRouter } from '../src/koa.ts';
import type { ClientCredentials } from '../src/oauth/client-credentials.ts';
import type { Provisioning } from '../src/provisioning.ts';
import type { UserNames } from '../src/resources/user-name.ts';
import { storageOf, targets } from './targets.ts';

/** The base of addresses in bodies; requests go to the address that the test is served at. */
export const BASE = 'https://scim.example/scim/v2';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const SERVICE = 'urn:service:params:scim:schemas:extension:1.0';

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
type Body = any;

/** An answer with its parsed body; undefined when it has none. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Options of a request besides its body. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** A role, or `stranger` for the owner of another organization. */
  readonly token?: string;
}

/** Options of the served SCIM interface. */
export interface StartOptions {
  readonly target?: DatabaseTarget | undefined;
  readonly provisioning?: Provisioning;
  readonly clientCredentials?: ClientCredentials;
  readonly userNames?: UserNames;
  readonly logger?: Logger;
}

/** Serves SCIM on a test database, as a host would. */
export async function start(t: TestContext, options: StartOptions = {}) {
  const { target = targets[0], provisioning, clientCredentials, userNames, logger } = options;
  if (!target) throw new Error('There are no targets');
  const opened = await target.open();
  t.after(opened.dispose);
  const clock = createTestClock();
  const database: Database = opened.database;
  const runtime = createRuntime({ database, clock });
  const storage = storageOf(opened);
  const own = await createTestTenant(opened);
  const stranger = await createTestTenant(opened);
  const baseUrl = () => BASE;
  const { services } = createScimCapability(runtime, {
    storage,
    provisioning,
    userNames,
    baseUrl: () => 'https://scim.example',
  });
  const router = createScimRouter(services, {
    baseUrl,
    clientCredentials,
    checkReplies: true,
    ...(logger ? { logger } : {}),
    authenticate: async ({ token }) =>
      token === 'stranger'
        ? { ...stranger, role: 'owner' }
        : { ...own, role: (token ?? 'viewer') as Role },
  });
  const url = await serveKoa(t, router);
  const call = async (method: string, path: string, body?: unknown, given: CallOptions = {}) => {
    const { headers = {}, token = 'admin' } = given;
    // Resources have an order by their times.
    if (method === 'POST') await clock.advance(1);
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/scim+json',
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed } as Answer;
  };
  return { ...own, url, call, clock, storage, services, runtime, opened };
}

/** The body of a user as identity providers send it. */
export function userBody(name: string, more: object = {}): object {
  const userName = `${name}@example.com`;
  return {
    schemas: [USER_SCHEMA],
    userName,
    name: { givenName: name, familyName: 'Test' },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
    ...more,
  };
}

/** The body of a PATCH with these operations. */
export function patchBody(...Operations: object[]): object {
  return { schemas: [PATCH_OP], Operations };
}
