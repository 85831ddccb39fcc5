import { test } from 'node:test';
import { runCurlBlocks, temporaryFolder } from '@probity/test-support';
import { bootstrap, emptyDatabases, serve } from './support.ts';

test('the commands of docs/operate.md work on a server', async (t) => {
  const location = (await emptyDatabases[0]?.create(t)) ?? '';
  const { organization_id: ORG, api_key: KEY } = await bootstrap(location);
  const { url } = await serve(t, location);
  const folder = temporaryFolder(t).path;
  await runCurlBlocks(import.meta.url, { url, folder, variables: { ORG, KEY } });
});
