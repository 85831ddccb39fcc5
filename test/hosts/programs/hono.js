import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

const app = new Hono();
app.get(OWN_PAGE, (context) => context.text(OWN_TEXT));
app.all('/probity/*', async (context) => {
  const { raw } = context.req;
  if (parserMode(context.req.header()) === 'drain') await raw.text();
  return probity.fetch(raw);
});

await run(
  () =>
    new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
        resolve({ port, close: () => new Promise((closed) => server.close(closed)) });
      });
    }),
);
