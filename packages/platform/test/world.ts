import type { Role, Runtime } from '@probity/core';
import type { AuthenticateToken } from '@probity/core/internal';
import type { RouterOptions } from '@probity/core/koa';
import { serveKoa } from '@probity/core/testing';
import type { TestClock, TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import type { CredentialUsage } from '../src/credentials/credential-usage.ts';
import { createApiKeyUsage } from '../src/credentials/credential-usage.ts';
import { createPlatformRouter } from '../src/http.ts';
import type { BootstrapResult } from '../src/organizations/bootstrap.ts';
import { bootstrapOrganization } from '../src/organizations/bootstrap.ts';
import { createPlatform } from '../src/platform.ts';
import {
  createMemberAuthentication,
  createMemberConfirmation,
} from '../src/sign-in/session-authentication.ts';
import type { PlatformTarget, PlatformTestDatabase } from '../src/testing/targets.ts';
import { BASE_URL, testPasswords, testRuntime } from './support.ts';

/** The platform API over a real database, with an organization and real API keys. */
export interface PlatformWorld {
  readonly url: string;
  readonly clock: TestClock;
  readonly opened: PlatformTestDatabase;
  readonly runtime: Runtime;
  readonly organization: BootstrapResult;
  readonly usage: CredentialUsage;
  readonly authenticate: AuthenticateToken;
  /** Bootstraps another organization on the same database. */
  bootstrap(name: string): Promise<BootstrapResult>;
  /** Sends a request to a path below `/v1`, by default as the organization's owner. */
  send(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  /** Creates a key and returns its id and token. */
  createKey(role?: Role, body?: object): Promise<{ id: string; token: string }>;
}

/** Creates the world on a separate database. */
export async function createPlatformWorld(
  t: TestLifetime,
  target: PlatformTarget,
  router: Partial<RouterOptions> = {},
): Promise<PlatformWorld> {
  const opened = await target.open();
  t.after(opened.dispose);
  const clock = createTestClock();
  const { storage, database } = opened;
  const runtime = testRuntime({ database, clock });
  const usage = createApiKeyUsage(runtime, { storage });
  const authenticate = createMemberAuthentication(runtime, { storage, usage });
  const services = createPlatform(runtime, {
    storage,
    baseUrl: () => BASE_URL,
    passwords: testPasswords(),
  });
  const url = await serveKoa(
    t,
    createPlatformRouter(services, {
      authenticate,
      confirm: createMemberConfirmation(runtime, { storage }),
      clock,
      prefix: '/v1',
      checkReplies: true,
      ...router,
    }),
  );
  const bootstrap = (organizationName: string) =>
    bootstrapOrganization(
      runtime,
      { storage },
      { organizationName, ownerEmail: 'owner@example.com', plan: 'professional' },
    );
  const organization = await bootstrap('Ærø Føundation');
  const send: PlatformWorld['send'] = (method, path, { token, body, headers } = {}) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token ?? organization.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  return {
    url,
    clock,
    opened,
    runtime,
    organization,
    usage,
    authenticate,
    bootstrap,
    send,
    async createKey(role, body = {}) {
      const path = `/organizations/${organization.organizationId}/api-keys`;
      const response = await send('POST', path, { body: { name: 'Key', role, ...body } });
      if (response.status !== 201) throw new Error(await response.text());
      return (await response.json()) as { id: string; token: string };
    },
  };
}
