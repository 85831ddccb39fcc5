// A PostgreSQL with pgvector that is not in the measured process: prints its URL and what it is, and ends with its input.
import { startPgVector } from '../../packages/knowledge/dist/test/vectors/pgvector-server.js';
import { acquirePostgres } from '../../test/support/dist/src/index.js';

const server = await startPgVector();
console.log(JSON.stringify({ url: server.url, isNative: server.isNative }));
process.stdin.on('end', async () => {
  await server.close();
  await (await acquirePostgres()).stop();
  process.exit(0);
});
process.stdin.resume();
