import type { Secrets } from '@probity/webhooks/verify';
import { verifyWebhook, WebhookVerificationError } from '@probity/webhooks/verify';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Inbox } from './inbox.ts';

/** An application with `POST /hook` for webhooks. */
export function createHonoReceiver(secrets: Secrets, inbox: Inbox): Hono {
  const app = new Hono();
  app.post('/hook', bodyLimit({ maxSize: 2_097_152 }), async (context) => {
    const body = await context.req.arrayBuffer();
    inbox.add(await verifyWebhook(body, context.req.raw.headers, secrets));
    return context.body(null, 204);
  });
  app.onError((error, context) => {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return context.text(error.message, error.status);
  });
  return app;
}
