import {
  contextOf,
  createDialer,
  createMemoryDatabase,
  createRuntime,
  createSecretBox,
  createTenants,
  parseNetworkAllowList,
  systemRandom,
} from '@probity/core';
import { createBackground } from '@probity/core/program';
import type { TestLifetime } from '@probity/test-support';
import { startHttpsReceiver, until } from '@probity/test-support';
import type { Delivery } from '@probity/webhooks';
import { createMemoryWebhookStorage } from '@probity/webhooks';
import { createWebhookCapability } from '@probity/webhooks/koa';

/** Probity with a webhook whose address is a proxy that ends TLS, as before most receivers. */
export interface Sender {
  /** The secret of the webhook. */
  readonly secret: string;
  /** Publishes an `alert.created`; resolves to its delivery after the first attempt. */
  deliver(message: string): Promise<Delivery>;
  /** Sends the bytes of the last delivery again, changed by `change`; resolves to the status. */
  resend(change?: (body: string) => string): Promise<number>;
}

/**
 * Starts Probity.
 * @param forward what the proxy does with a request, whose path is `/hook`
 */
export async function startSender(
  t: TestLifetime,
  forward: (path: string, init: RequestInit) => Promise<Response>,
): Promise<Sender> {
  const proxy = await startHttpsReceiver({
    test: t,
    async handler({ url, headers, rawBody }) {
      const { host, connection, 'content-length': length, ...passed } = headers;
      const init = { method: 'POST', headers: passed as Record<string, string>, body: rawBody };
      const answer = await forward(url, init);
      return { status: answer.status, body: await answer.text() };
    },
  });
  const { services, context } = await startWebhooks(t, proxy.certificate);
  const { webhooks, deliveries } = services;
  const { webhook, secret } = await webhooks.create(context, {
    url: `${proxy.url}/hook`,
    events: ['alert.created'],
  });
  return {
    secret,
    async deliver(message) {
      const data = { alertId: 'alr_1', severity: 'high', type: 'pii', message };
      const { id } = await webhooks.publish(context, { type: 'alert.created', data });
      let found: Delivery | undefined;
      await until(async () => {
        const { items } = await deliveries.list(context, webhook.id, {}, { limit: 9, offset: 0 });
        found = items.find(({ eventId, attempts }) => eventId === id && attempts.length > 0);
        return found !== undefined;
      }, 'an attempt was made');
      return found as Delivery;
    },
    async resend(change = (body) => body) {
      const last = proxy.requests.at(-1);
      if (!last) throw new Error('Nothing was delivered');
      const { host, connection, 'content-length': length, ...headers } = last.headers;
      const body = change(last.rawBody.toString());
      const init = { method: 'POST', headers: headers as Record<string, string>, body };
      return (await forward('/hook', init)).status;
    },
  };
}

/** The capability with its background work, trusting the authority of the proxy. */
async function startWebhooks(t: TestLifetime, authority: string) {
  const database = createMemoryDatabase();
  const secretBox = createSecretBox([systemRandom(32)]);
  const runtime = createRuntime({ database, secretBox, tenants: createTenants(database) });
  const allow = parseNetworkAllowList('127.0.0.1/32');
  const dialer = createDialer({ allow, clock: runtime.clock, tls: { ca: [authority] } });
  const storage = createMemoryWebhookStorage(database);
  const targets = { allow };
  const capability = createWebhookCapability(runtime, { storage, targets, dialer });
  const background = createBackground(runtime, [capability]);
  for (const part of background) await part.start();
  t.after(async () => {
    for (const part of background.toReversed()) await part.stop();
    await dialer.close();
  });
  return { services: capability.services, context: contextOf({ organizationId: 'acme' }) };
}
