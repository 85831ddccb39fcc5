import { bodyParser } from '@koa/bodyparser';
import type { Secrets } from '@probity/webhooks/verify';
import { verifyWebhook } from '@probity/webhooks/verify';
import Koa from 'koa';
import type { Inbox } from './inbox.ts';

/** An application with `POST /hook` for webhooks. */
export function createKoaReceiver(secrets: Secrets, inbox: Inbox): Koa {
  const app = new Koa();
  app.use(bodyParser({ enableTypes: ['json'], jsonLimit: '2mb' }));
  app.use(async (ctx, next) => {
    if (ctx.method !== 'POST' || ctx.path !== '/hook') return next();
    inbox.add(await verifyWebhook(ctx.request.rawBody, ctx.headers, secrets));
    ctx.status = 204;
  });
  return app;
}
