// PostgreSQL with pgvector in a process of its own, as a server is: prints its URL, and ends with its input.
import { startPgVector } from '../../packages/knowledge/dist/test/vectors/pglite-server.js';

const server = await startPgVector();
console.log(server.url);
process.stdin.on('end', async () => {
  await server.close();
  process.exit(0);
});
process.stdin.resume();
