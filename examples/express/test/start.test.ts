import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  runCurlBlocks,
  spawnProgram,
  temporaryFolder,
  until,
} from '@probity/test-support';

const PAGE = fileURLToPath(new URL('../../../../docs/start.md', import.meta.url));

test('the application of docs/start.md blocks a leak behind its login', async (t) => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const port = await freePort();
  // Beside the compiled files, where its packages are found.
  const folder = fileURLToPath(new URL('../start-page', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'app.mjs');
  writeFileSync(file, program.replace('listen(3000)', `listen(${port})`));
  const cwd = temporaryFolder(t).path;
  await spawnProgram(process.execPath, [file], { test: t, cwd });
  const url = `http://127.0.0.1:${port}`;
  const listens = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(listens, 'the application listens');
  await runCurlBlocks(import.meta.url, { url, folder: cwd, variables: {} });
});
