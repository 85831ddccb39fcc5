import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseTarget } from '@probity/core/testing';
import { createWorld, serve, targets } from '../world.ts';
import { failing, file, flat, MARKER, result } from './files.ts';

const memory = targets.find(({ name }) => name === 'memory') as DatabaseTarget;
const PATH = 'POST /compliance/evidence/import/evaltool';

test('an import answers 201 with what it created, and 200 when it created nothing', async (t) => {
  const world = await createWorld(t, { target: memory });
  const request = await serve(t, world);
  const first = await request(PATH, { body: { evaltoolOutput: file() } });
  assert.equal(first.status, 201);
  const { evidenceIds, obligationLinksCreated, ...counts } = first.body;
  assert.equal(evidenceIds.length, 7);
  assert.ok(obligationLinksCreated > 0);
  assert.deepEqual(counts, {
    totalResultsProcessed: 7,
    evidenceCreated: 7,
    evidenceSkipped: 0,
    warnings: [],
  });
  const again = await request(PATH, { body: { evaltoolOutput: flat() } });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.evidenceIds, []);
  const found = await request(`GET /compliance/evidence/${evidenceIds[0]}`);
  assert.equal(found.body.data.evidenceType, 'evaltool_eval');
});

for (const [form, made] of [
  ['as the tool has written it', file()],
  ['with its results at the top', flat()],
] as const) {
  test(`a file ${form} is imported without evaltoolOutput, as the same evaluation`, async (t) => {
    const world = await createWorld(t, { target: memory });
    const request = await serve(t, world);
    const bare = await request(PATH, { body: { ...made, labels: { team: 'assistants' } } });
    assert.equal(bare.status, 201, JSON.stringify(bare.body));
    assert.equal(bare.body.evidenceIds.length, 7);
    const record = await request(`GET /compliance/evidence/${bare.body.evidenceIds[0]}`);
    assert.deepEqual(record.body.data.labels, { team: 'assistants' });
    assert.doesNotMatch(JSON.stringify(record.body), MARKER);
    const wrapped = await request(PATH, { body: { evaltoolOutput: made } });
    assert.deepEqual([wrapped.status, wrapped.body.evidenceSkipped], [200, 7]);
  });
}

test('a file without evaltoolOutput is refused like one with it', async (t) => {
  const world = await createWorld(t, { target: memory });
  const request = await serve(t, world);
  const refusals = [
    [flat([]), 400, 'results'],
    [flat([result()], { version: 4 }), 400, 'version'],
    [flat(Array.from({ length: 501 }, () => result())), 400, 'results'],
    [{ ...flat(), aiSystemId: 'x' }, 422, 'aiSystemId'],
    [{ ...file(), evaltoolOutput: file() }, 422, 'results'],
  ] as const;
  for (const [body, status, field] of refusals) {
    const answer = await request(PATH, { body });
    assert.equal(answer.status, status);
    const fields = answer.body.error.details.map((each: { field: string }) => each.field);
    assert.ok(fields.includes(field), JSON.stringify(answer.body));
  }
});

const uuid = '0199b6f2-4f8e-7a31-9d53-2c1e5a7b9c00';

const refused = [
  ['no evaltoolOutput', {}, 400, 'evaltoolOutput'],
  [
    'no version',
    { evaltoolOutput: flat([result()], { version: undefined }) },
    400,
    'evaltoolOutput.version',
  ],
  ['no results', { evaltoolOutput: flat([]) }, 400, 'evaltoolOutput.results'],
  [
    '501 results',
    { evaltoolOutput: flat(Array.from({ length: 501 }, () => result())) },
    400,
    'evaltoolOutput.results',
  ],
  [
    'a bad time',
    { evaltoolOutput: flat([result()], { timestamp: 'soon' }) },
    400,
    'evaltoolOutput.timestamp',
  ],
  [
    'a label named as a prototype',
    { evaltoolOutput: flat(), labels: JSON.parse('{"__proto__":"a"}') },
    400,
    'labels.__proto__',
  ],
  ['an AI system that is no UUID', { evaltoolOutput: flat(), aiSystemId: 'x' }, 422, 'aiSystemId'],
  ['an AI system that is an object', { evaltoolOutput: flat(), aiSystemId: {} }, 422, 'aiSystemId'],
  ['a label that is a number', { evaltoolOutput: flat(), labels: { a: 1 } }, 422, 'labels.a'],
  [
    'a label that is an object',
    { evaltoolOutput: flat(), labels: { a: { b: 'c' } } },
    422,
    'labels.a',
  ],
  ['a label with U+0000', { evaltoolOutput: flat(), labels: { a: 'b\0' } }, 400, 'labels.a'],
  ['labels as an array', { evaltoolOutput: flat(), labels: ['a'] }, 422, 'labels'],
  [
    'storeGradingReason as a text',
    { evaltoolOutput: flat(), storeGradingReason: 'no' },
    422,
    'storeGradingReason',
  ],
  ['an unknown member', { evaltoolOutput: flat(), aiSystemID: uuid }, 422, 'aiSystemID'],
  ['an unknown AI system', { evaltoolOutput: flat(), aiSystemId: uuid }, 404, undefined],
] as const;

for (const [title, body, status, field] of refused) {
  test(`an import with ${title} is refused with ${status}`, async (t) => {
    const world = await createWorld(t, { target: memory });
    const request = await serve(t, world);
    const response = await request(PATH, { body });
    assert.equal(response.status, status, JSON.stringify(response.body));
    const { code, details = [] } = response.body.error;
    const codes: Record<number, string> = {
      400: 'INVALID_REQUEST',
      404: 'RESOURCE_NOT_FOUND',
      422: 'VALIDATION_ERROR',
    };
    assert.equal(code, codes[status]);
    assert.equal(details[0]?.field, field);
    assert.doesNotMatch(JSON.stringify(response.body), MARKER);
    const { total } = await world.storage.listEvidence(
      world.organizationId,
      {},
      { limit: 1, offset: 0 },
    );
    assert.equal(total, 0);
  });
}

test('an import needs the right to write evidence', async (t) => {
  const world = await createWorld(t, { target: memory });
  const request = await serve(t, world);
  const body = { evaltoolOutput: flat([failing()]) };
  assert.equal((await request(PATH, { body, token: 'viewer' })).status, 403);
  assert.equal((await request(PATH, { body, token: 'editor' })).status, 201);
});
