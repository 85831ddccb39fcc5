import type { Express } from 'express';
import express from 'express';
import { Webhook } from 'standardwebhooks';

/** An event as Probity sends it. */
export interface WebhookEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An application with `POST /hook` for webhooks of Probity.
 * @param secret the webhook's, `whsec_…`
 * @param receive is called once per event, with its id; an error makes Probity send it again
 */
export function createReceiver(
  secret: string,
  receive: (id: string, event: WebhookEvent) => Promise<void>,
): Express {
  const webhook = new Webhook(secret);
  const seen = new Set<string>(); // a table with a unique key, in a program that restarts
  const app = express();
  // The signature covers the bytes as they were sent, so no JSON parser may come first.
  app.post('/hook', express.raw({ type: 'application/json' }), async (request, response) => {
    let event: WebhookEvent;
    try {
      event = webhook.verify(
        request.body,
        request.headers as Record<string, string>,
      ) as WebhookEvent;
    } catch {
      response.sendStatus(401);
      return;
    }
    const id = request.get('webhook-id') ?? '';
    // Deliveries repeat after a lost response: the id tells.
    if (!seen.has(id)) await receive(id, event);
    seen.add(id);
    response.sendStatus(204);
  });
  return app;
}
