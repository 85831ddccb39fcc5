import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCurlBlocks, temporaryFolder } from '@probity/test-support';
import { bootstrap, emptyDatabases, serve } from './support.ts';

/** An import of an output file of the evaluation tool with one result. */
const IMPORT = {
  labels: { team: 'assistants' },
  evaltoolOutput: {
    version: 3,
    timestamp: '2026-05-06T07:08:09.123Z',
    results: [{ provider: { id: 'local:desk' }, success: true, score: 1 }],
  },
};

test('the commands of docs/evidence.md work on a server', async (t) => {
  const location = (await emptyDatabases[0]?.create(t)) ?? '';
  const { api_key: TOKEN } = await bootstrap(location);
  const { url } = await serve(t, location);
  const folder = temporaryFolder(t).path;
  writeFileSync(join(folder, 'import.json'), JSON.stringify(IMPORT));
  await runCurlBlocks(import.meta.url, { url, folder, variables: { TOKEN } });
});
