import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProbity, silentLogger } from '@probity/core';
import { evidence } from '@probity/evidence';
import { governance } from '@probity/governance';
import { integrations } from '@probity/integrations';
import { knowledge } from '@probity/knowledge';
import { webhooks } from '@probity/webhooks';

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>
  >;
}

const ORIGIN = 'http://host/probity';
/** The operations that scan a text, or stop a batch of the caller whose id it knows. */
const SCANS = /^POST \/(governance\/scan|governance\/scans|doors)(\/|$)/;

test('a caller who may only scan is refused by every other operation of every capability', async (t) => {
  const probity = createProbity({
    database: 'memory',
    encryptionKey: Buffer.alloc(32, 1).toString('base64'),
    authenticate: () => ({
      organizationId: 'acme',
      memberId: 'ann',
      permissions: ['scans:create'],
    }),
    capabilities: [governance(), knowledge(), webhooks(), evidence(), integrations()],
    logger: silentLogger,
  });
  t.after(() => probity.stop());
  await probity.migrate();
  const answer = await probity.fetch(new Request(`${ORIGIN}/openapi.json`));
  const { paths } = (await answer.json()) as OpenApi;
  const open: string[] = [];
  let refused = 0;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      if (security?.length === 0) continue;
      const url = ORIGIN + path.replaceAll(/\{\w+\}/g, 'some_id');
      const { status } = await probity.fetch(new Request(url, { method: method.toUpperCase() }));
      if (status === 403) refused += 1;
      else open.push(`${method.toUpperCase()} ${path}`);
    }
  }
  assert.deepEqual(
    open.filter((operation) => !SCANS.test(operation)),
    [],
  );
  assert.ok(open.includes('POST /governance/scan'), open.join());
  assert.ok(refused > 80, String(refused));
});
