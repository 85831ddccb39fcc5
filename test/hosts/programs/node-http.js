import { createServer } from 'node:http';
import { drain, listening, OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

const server = createServer(async (request, response) => {
  const mode = parserMode(request.headers);
  if (mode === 'drain') await drain(request);
  if (mode === 'host' && request.method === 'POST') {
    const chunks = await request.toArray();
    request.rawBody = Buffer.concat(chunks);
  }
  probity.node(request, response, () => {
    if (request.url === OWN_PAGE) response.end(OWN_TEXT);
    else response.writeHead(404).end('Nothing is here.');
  });
});

await run(listening(server));
