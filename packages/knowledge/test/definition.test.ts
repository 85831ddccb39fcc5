import assert from 'node:assert/strict';
import test from 'node:test';
import { contextOf, createProbity } from '@probity/core';
import type { KnowledgeSettings } from '../src/index.ts';
import { knowledge } from '../src/index.ts';

const authenticate = () => ({ organizationId: 'acme', memberId: 'ann', role: 'admin' }) as const;

test('an application has a knowledge base in memory, by its own organizations', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate,
    capabilities: [knowledge({ maxNuggets: 10 })],
  });
  t.after(() => probity.stop());
  await probity.start();
  const { nuggets } = probity.services.knowledge;
  const context = contextOf({ organizationId: 'acme' });
  const input = { claim: 'A', sourceUrl: 'https://a.example/', confidence: 'low' };
  const created = await nuggets.create(context, input);
  assert.equal(created.confidence, 0.3);
  assert.deepEqual(await nuggets.get(context, created.id), created);
  const url = 'https://host.example/probity/knowledge/nuggets/import';
  for (const body of [
    'claim,source_url\nB,https://b.example/\n',
    new Blob(['claim,source_url\nC,https://c.example/']).stream(),
  ]) {
    const request = new Request(url, {
      method: 'POST',
      headers: { authorization: 'Bearer ann', 'content-type': 'text/csv' },
      body,
      duplex: 'half',
    } as RequestInit);
    const response = await probity.fetch(request);
    assert.equal(response.status, 201, await response.text());
  }
});

test('a wrong setting is named', () => {
  const refused: Array<[settings: object, message: RegExp]> = [
    [{ nuggets: 1 }, /nuggets is not an option/],
    [{ maxNuggets: 0 }, /maxNuggets must be a whole number/],
    [{ storage: {} }, /storage/],
    [{ prefix: 'api' }, /prefix/],
  ];
  for (const [settings, message] of refused) {
    assert.throws(() => knowledge(settings as KnowledgeSettings), message);
  }
});
