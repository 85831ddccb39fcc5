import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCurlBlocks, temporaryFolder } from '@probity/test-support';
import { bootstrap, emptyDatabases, serve } from './support.ts';

const FACTS =
  'claim,source_url,category,confidence\nIce melts at 0 °C.,https://physics.example/,physics,high\n';

test('the commands of docs/knowledge.md work on a server', async (t) => {
  const location = (await emptyDatabases[0]?.create(t)) ?? '';
  const { api_key: TOKEN } = await bootstrap(location);
  const { url } = await serve(t, location);
  const folder = temporaryFolder(t).path;
  writeFileSync(join(folder, 'facts.csv'), FACTS);
  await runCurlBlocks(import.meta.url, { url, folder, variables: { TOKEN } });
});
