import { test } from 'node:test';
import { createTestClock, runCurlBlocks } from '@probity/test-support';
import { startGateway } from './world.ts';

test('the commands of the documents work against a gateway', async (t) => {
  const clock = createTestClock();
  const gateway = await startGateway(t, '', { clock });
  const { url, folder, token } = gateway;
  const admin = gateway.addKey({ name: 'admin', role: 'admin' });
  // The file of the keys is looked at once a second.
  await clock.advance(1_000);
  const variables = { KEY: token, ADMIN_KEY: admin };
  await runCurlBlocks(import.meta.url, { url, folder, variables });
});
