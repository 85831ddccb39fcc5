// Collects bodies as most programs do: an array of chunks, concatenated at the end, up to 1 MiB.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.url === '/api/status') return response.end('{"status":"operational"}');
  const chunks = [];
  request.on('data', (chunk) => {
    chunks.push(chunk);
  });
  request.on('end', () => response.end(String(Buffer.concat(chunks).length)));
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
process.on('SIGTERM', () => process.exit(0));
