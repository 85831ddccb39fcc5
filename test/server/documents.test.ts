import { createServer } from 'node:http';
import { test } from 'node:test';
import { createProbity } from '@probity/core';
import { addressOf } from '@probity/core/testing';
import { governance } from '@probity/governance';
import { runCurlBlocks, temporaryFolder } from '@probity/test-support';
import { webhooks } from '@probity/webhooks';

test('the commands of docs/webhooks.md work in an application', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate: ({ token }) =>
      token === 'of-ann' ? { organizationId: 'acme', memberId: 'ann', role: 'admin' } : null,
    capabilities: [governance(), webhooks()],
  });
  t.after(() => probity.stop());
  await probity.migrate();
  const url = await addressOf(t, createServer(probity.node).listen(0, '127.0.0.1'));
  const folder = temporaryFolder(t).path;
  await runCurlBlocks(import.meta.url, { url, folder, variables: { TOKEN: 'of-ann' } });
});
