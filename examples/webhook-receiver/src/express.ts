import type { Secrets } from '@probity/webhooks/verify';
import { verifyWebhook } from '@probity/webhooks/verify';
import type { Express } from 'express';
import express from 'express';
import type { Inbox } from './inbox.ts';

/** An application with `POST /hook` for webhooks. */
export function createExpressReceiver(secrets: Secrets, inbox: Inbox): Express {
  const app = express();
  app.post('/hook', express.raw({ type: '*/*', limit: '2mb' }), async (request, response) => {
    inbox.add(await verifyWebhook(request.body as Buffer, request.headers, secrets));
    response.sendStatus(204);
  });
  app.use(express.json()); // for the routes below; above /hook it would take the raw body away
  return app;
}
