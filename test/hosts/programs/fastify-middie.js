import middie from '@fastify/middie';
import Fastify from 'fastify';
import { drain, OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

const app = Fastify({ bodyLimit: 2_097_152 });
await app.register(middie);
app.use((request, _response, next) => {
  if (parserMode(request.headers) === 'drain') drain(request).then(next, next);
  else next();
});
app.use('/probity', probity.node);
app.get(OWN_PAGE, () => OWN_TEXT);

await run(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: app.server.address().port, close: () => app.close() };
});
