import Fastify from 'fastify';
import { OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

const app = Fastify({ bodyLimit: 2_097_152 });
app.get(OWN_PAGE, () => OWN_TEXT);
app.all('/probity/*', (request, reply) => {
  reply.hijack();
  // Fastify has parsed the body and keeps it here.
  if (parserMode(request.headers) !== 'drain') request.raw.body = request.body;
  probity.node(request.raw, reply.raw);
});

await run(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, close: () => app.close() };
});
