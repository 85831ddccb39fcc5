import assert from 'node:assert/strict';
import test from 'node:test';
import { contextOf, createProbity } from '@probity/core';
import type { EvidenceSettings } from '../src/index.ts';
import { evidence } from '../src/index.ts';

const authenticate = () => null;

test('an application has AI systems and evidence in memory, by its own organizations', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate,
    capabilities: [evidence({ retentionDays: 365 })],
    retention: 'eu-ai-act',
  });
  t.after(() => probity.stop());
  await probity.start();
  const { aiSystems, records, coverage, verify } = probity.services.evidence;
  const context = contextOf({ organizationId: 'acme' });
  const created = await aiSystems.create(context, { name: 'Assistant', riskClass: 'minimal' });
  assert.deepEqual(await aiSystems.get(context, created.id), created);
  const page = { limit: 10, offset: 0 };
  assert.deepEqual(await records.list(context, {}, page), { items: [], total: 0 });
  assert.equal((await coverage.list(context, {}, page)).items[0]?.aiSystem?.id, created.id);
  const { fault, end } = await verify(context);
  assert.deepEqual([fault, end], [null, null]);
});

test('an evaluation is imported through the Fetch API, its body whole or in parts', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate: () => ({ organizationId: 'acme', memberId: 'ann', role: 'admin' }),
    capabilities: [evidence()],
  });
  t.after(() => probity.stop());
  await probity.migrate();
  const bodyOf = (timestamp: string) => {
    const results = [{ provider: { id: 'echo' }, success: true, score: 1 }];
    return JSON.stringify({ evaltoolOutput: { version: 3, timestamp, results } });
  };
  const parts = new Blob([bodyOf('2026-05-07T00:00:00.000Z')]).stream();
  for (const body of [bodyOf('2026-05-06T00:00:00.000Z'), parts]) {
    const request = new Request(
      'https://host.example/probity/compliance/evidence/import/evaltool',
      {
        method: 'POST',
        headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit,
    );
    const response = await probity.fetch(request);
    assert.equal(response.status, 201, await response.text());
  }
});

test('a wrong setting is named', () => {
  const refused: Array<[settings: object, message: RegExp]> = [
    [{ retention: 1 }, /retention is not an option/],
    [{ retentionDays: 0 }, /retentionDays must be a whole number/],
    [{ retentionDays: 1.5 }, /retentionDays must be a whole number/],
    [{ storage: {} }, /storage/],
    [{ prefix: 'api' }, /prefix/],
  ];
  for (const [settings, message] of refused) {
    assert.throws(() => evidence(settings as EvidenceSettings), message);
  }
  const options = { database: 'memory', authenticate, capabilities: [evidence()] } as const;
  const mistyped = { ...options, retention: 'ai-act' as 'eu-ai-act' };
  assert.throws(() => createProbity(mistyped), /retention must be one of standard, eu-ai-act/);
});
