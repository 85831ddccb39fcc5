import type * as Client from '@probity/client';
import type * as Webhooks from '@probity/client/webhooks';

/** The client as a runtime has loaded it. */
export interface LoadedClient {
  readonly client: Pick<typeof Client, 'createClient' | 'BlockedError' | 'ProbityError'>;
  readonly webhooks: Pick<typeof Webhooks, 'verifyWebhook'>;
}

/** Where the client calls, and with what. */
export interface JourneyOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
}

/** What a journey has seen: the same in every runtime. */
export type JourneyResult = Readonly<Record<string, unknown>>;

const SECRET = `whsec_${'CQkJ'.repeat(10)}CQkJCQkJCQkJ`;

/**
 * Uses the client for a scan, lists, a change, errors and the verification of a webhook. It imports
 * nothing, so that Node, Deno, Bun and browsers run the same code.
 */
export async function journey(
  { client, webhooks }: LoadedClient,
  { baseUrl, apiKey, organizationId }: JourneyOptions,
): Promise<JourneyResult> {
  const probity = client.createClient({ baseUrl, apiKey });
  const { apiVersion } = await probity.status.get();
  const passed = await probity.governance.scan({ response: 'All is well.' });
  const leak = { response: 'Her SSN is 536-22-8145, as you asked.' };
  const blocked = [];
  for (let count = 0; count < 3; count += 1) {
    blocked.push(await failureOf(client, probity.governance.scan(leak)));
  }
  const first = await probity.alerts.list({ limit: 2, type: 'pii' });
  const messages = new Set<string>();
  let alerts = 0;
  for await (const alert of probity.alerts.list({ limit: 2, type: 'pii' })) {
    alerts += 1;
    messages.add(alert.message);
  }
  const key = await probity.organizations.createApiKey(organizationId, { name: 'journey' });
  await probity.organizations.revokeApiKey(organizationId, key.id);
  const keys = await probity.organizations.listApiKeys(organizationId).all();
  const stranger = client.createClient({ baseUrl, apiKey: `${apiKey.slice(0, -1)}!` });
  return {
    apiVersion,
    verdict: passed.verdict,
    role: (await probity.whoami.get()).role,
    blocked,
    alerts,
    first: [first.items.length, first.total],
    messages: messages.size,
    hasKey: /^pbk_/.test(key.token),
    isRevoked: keys.every(({ name }) => name !== 'journey'),
    notFound: await failureOf(client, probity.alerts.get('alr_unknown')),
    invalid: await failureOf(client, probity.webhooks.create({ url: 'ftp://x', events: [] })),
    stranger: await failureOf(client, stranger.alerts.list().page()),
    event: await verifiedType(webhooks),
  };
}

/** The class, the code and the fields of the error of a call. */
async function failureOf(
  { BlockedError, ProbityError }: LoadedClient['client'],
  call: Promise<unknown>,
): Promise<readonly unknown[]> {
  try {
    await call;
    return [];
  } catch (error) {
    if (!(error instanceof ProbityError)) return [String(error)];
    const reasons = error instanceof BlockedError ? [error.governance.violation_reason] : [];
    return [
      error.name,
      error.code,
      error.status,
      ...error.details.map(({ field }) => field),
      ...reasons,
    ];
  }
}

/** Signs a webhook by Web Crypto and verifies it. */
async function verifiedType({ verifyWebhook }: LoadedClient['webhooks']): Promise<string> {
  const data = { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'm' };
  const timestamp = new Date().toISOString();
  const body = JSON.stringify({ id: 'evt_1', type: 'alert.created', timestamp, data });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const bytes = Uint8Array.from(atob(SECRET.slice('whsec_'.length)), (each) => each.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const message = new TextEncoder().encode(`evt_1.${seconds}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
  return (await verifyWebhook(body, headers, SECRET)).type;
}
