import type { Secrets } from '@probity/webhooks/verify';
import { verifyWebhook, WebhookVerificationError } from '@probity/webhooks/verify';
import type { Inbox } from './inbox.ts';

/** A handler for webhooks: `POST` of `app/hook/route.ts` in Next.js, or `fetch` of Deno or Bun. */
export function createFetchReceiver(secrets: Secrets, inbox: Inbox) {
  return async (request: Request): Promise<Response> => {
    try {
      inbox.add(await verifyWebhook(await request.arrayBuffer(), request.headers, secrets));
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return new Response(error.message, { status: error.status });
    }
    return new Response(null, { status: 204 });
  };
}
