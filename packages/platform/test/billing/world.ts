import type { Database, Plan, Role } from '@probity/core';
import { createIdempotency, createMemoryRateLimiter } from '@probity/core';
import { createEndpointRouter, endpoint, generalErrors } from '@probity/core/koa';
import { serveKoa } from '@probity/core/testing';
import type { TestClock, TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { z } from 'zod';
import type { InvoiceRenderer } from '../../src/billing/invoices.ts';
import type { Settlement } from '../../src/billing/invoicing.ts';
import { createInvoiceRenderer } from '../../src/billing/pdf.ts';
import { createApiKeyAuthentication } from '../../src/credentials/authentication.ts';
import { createPlatformRouter } from '../../src/http.ts';
import type { BootstrapResult } from '../../src/organizations/bootstrap.ts';
import { bootstrapOrganization } from '../../src/organizations/bootstrap.ts';
import type { Platform, PlatformOptions } from '../../src/platform.ts';
import { createPlatform } from '../../src/platform.ts';
import { createSqlPlatformStorage } from '../../src/sql.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import type { PlatformTarget, PlatformTestDatabase } from '../../src/testing/targets.ts';
import { instanceEndpoints } from '../../src/usage/http/instances.ts';
import type { QuotaMeter } from '../../src/usage/quota-meter.ts';
import { createQuotaMeter } from '../../src/usage/quota-meter.ts';
import { testRuntime } from '../support.ts';

/** A response body; its shape is checked by the assertions of the test. */
// biome-ignore lint/suspicious/noExplicitAny: tests say by their assertions what they expect
export type Json = any;

/** A response with its parsed body. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** One instance of the service: the platform API and the general API, with a meter. */
interface BillingInstance {
  readonly url: string;
  readonly services: Platform;
  readonly meter: QuotaMeter;
  /** Sends a request, by default as the organization's owner. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
}

interface SendOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Plans, quotas and instances over real HTTP, on a separate database. */
export interface BillingWorld extends BillingInstance {
  readonly clock: TestClock;
  readonly opened: PlatformTestDatabase;
  readonly organization: BootstrapResult;
  /** Path of the organization below `/v1`. */
  readonly path: string;
  /** A second instance, on a separate connection; null in memory. */
  readonly other: BillingInstance | null;
  createKey(role: Role): Promise<string>;
}

/** Options of a billing test world. */
export interface BillingWorldOptions {
  readonly plan?: Plan;
  readonly settlement?: Settlement;
  /** Default {@link createInvoiceRenderer}; null for a host without a renderer. */
  readonly renderInvoice?: InvoiceRenderer | null;
}

/** Creates the billing test world. */
export async function createBillingWorld(
  t: TestLifetime,
  target: PlatformTarget,
  {
    plan = 'professional',
    settlement,
    renderInvoice = createInvoiceRenderer(),
  }: BillingWorldOptions = {},
): Promise<BillingWorld> {
  const opened = await target.open();
  t.after(opened.dispose);
  const clock = createTestClock();
  const organization = await bootstrapOrganization(
    testRuntime({ database: opened.database, clock }),
    { storage: opened.storage, settlement },
    { organizationName: 'Ærø Føundation', ownerEmail: 'owner@example.com', plan },
  );
  const settings = { settlement, renderInvoice: renderInvoice ?? undefined };
  const start = (connection: Connection) =>
    startInstance(t, connection, { clock, organization, settings });
  const instance = await start(opened);
  const database = opened.openAnother();
  const path = `/v1/organizations/${organization.organizationId}`;
  return {
    ...instance,
    clock,
    opened,
    organization,
    path,
    other: database && (await start({ database, storage: createSqlPlatformStorage(database) })),
    async createKey(role) {
      const body = { name: 'Key', role };
      const answer = await instance.send('POST', `${path}/api-keys`, { body });
      return answer.body.token as string;
    },
  };
}

interface Connection {
  readonly database: Database;
  readonly storage: PlatformStorage;
}

async function startInstance(
  t: TestLifetime,
  { database, storage }: Connection,
  {
    clock,
    organization,
    settings,
  }: {
    clock: TestClock;
    organization: BootstrapResult;
    settings: Pick<PlatformOptions, 'settlement' | 'renderInvoice'>;
  },
): Promise<BillingInstance> {
  const runtime = testRuntime({ database, clock });
  const meter = createQuotaMeter(runtime, { storage });
  let url = '';
  const baseUrl = () => url;
  const services = createPlatform(runtime, { storage, baseUrl, meter, ...settings });
  const idempotency = createIdempotency({ database, clock });
  const limits = { requests: 1_000_000, windowSeconds: 60 };
  const router = {
    authenticate: createApiKeyAuthentication(runtime, { storage }),
    clock,
    meter,
    idempotency,
    checkReplies: true,
    rateLimits: {
      limiter: createMemoryRateLimiter(clock),
      limits: {
        platform: limits,
        general: limits,
        evidence: limits,
        scim: limits,
        session: limits,
      },
    },
  };
  url = await serveKoa(
    t,
    createPlatformRouter(services, { ...router, prefix: '/v1' }),
    createEndpointRouter(
      [...instanceEndpoints(services.instances, services.instanceUsage), scanEndpoint],
      generalErrors,
      { ...router, prefix: '/api/v1' },
    ),
  );
  return {
    url,
    services,
    meter,
    send: (method, path, sent) => send(url + path, method, organization.apiKey, sent),
  };
}

/** An endpoint that spends scans, like the scan endpoint of governance. */
const scanEndpoint = endpoint({
  method: 'POST',
  path: '/scan',
  operationId: 'scan',
  summary: 'Scan',
  tag: 'Test',
  permission: 'scans:create',
  rateLimit: 'general',
  quota: 'gateway_scans',
  responses: { 200: { description: 'Scanned', schema: z.strictObject({}) } },
  handler: async ({ reply }) => reply(200, {}),
});

async function send(
  url: string,
  method: string,
  apiKey: string,
  { token = apiKey, body, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as Json),
  };
}
