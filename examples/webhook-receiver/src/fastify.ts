import type { Secrets } from '@probity/webhooks/verify';
import { verifyWebhook } from '@probity/webhooks/verify';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { Inbox } from './inbox.ts';

/** An application with `POST /hook` for webhooks. */
export function createFastifyReceiver(secrets: Secrets, inbox: Inbox): FastifyInstance {
  const app = fastify();
  // A plugin of its own: other routes still get parsed JSON.
  app.register(async (hooks) => {
    const options = { parseAs: 'buffer', bodyLimit: 2_097_152 } as const;
    hooks.addContentTypeParser('application/json', options, (_request, body, done) => {
      done(null, body);
    });
    hooks.post<{ Body: Buffer }>('/hook', async (request, reply) => {
      inbox.add(await verifyWebhook(request.body, request.headers, secrets));
      return reply.code(204).send();
    });
  });
  return app;
}
