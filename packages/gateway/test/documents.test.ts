import { test } from 'node:test';
import { runCurlBlocks } from '@probity/test-support';
import { startGateway } from './world.ts';

test('the commands of the documents work against a gateway', async (t) => {
  const gateway = await startGateway(t);
  const { url, folder, token } = gateway;
  await runCurlBlocks(import.meta.url, { url, folder, variables: { KEY: token } });
});
