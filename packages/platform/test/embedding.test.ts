import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { createApp } from './embedding.ts';

test("the README's example serves the platform API", async (t) => {
  const { app, apiKey } = await createApp(join(temporaryFolder(t).path, 'probity.db'));
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/organizations`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  assert.equal(response.status, 200);
  const { organizations } = (await response.json()) as { organizations: { name: string }[] };
  assert.deepEqual(
    organizations.map(({ name }) => name),
    ['Acme'],
  );
});
