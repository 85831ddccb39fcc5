import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { createWorld, serve, serveImport, targets } from '../world.ts';

const HEADER = 'claim,source_url,category,confidence\n';
const SOURCE = 'https://facts.example/';

type Send = Awaited<ReturnType<typeof serveImport>>;

/** Sends a CSV file; the answer without the id of the import. */
async function sendFile(send: Send, file: string) {
  const { status, body } = await send(file);
  const { id, ...counts } = body.data;
  assert.match(id, /^imp_/);
  return { status, body: { data: counts } };
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a CSV file is imported, again without a change, and with changes`, async (t) => {
    const world = await createWorld(t, { target });
    const send = await serveImport(t, world);
    const file = `\ufeff${HEADER}A,${SOURCE},x,high\r\n"B, ""quoted""\r\nand broken",${SOURCE},,0.5\r\nC,${SOURCE}\r\n`;
    const first = await sendFile(send, file);
    const counts = { rows: 3, created: 3, updated: 0, unchanged: 0, failed: 0, errors: [] };
    assert.deepEqual([first.status, first.body.data], [201, counts]);
    const again = await sendFile(send, file);
    const unchanged = { ...counts, created: 0, unchanged: 3 };
    assert.deepEqual([again.status, again.body.data], [200, unchanged]);
    const changed = await sendFile(send, file.replace('high', 'low'));
    assert.deepEqual(changed.body.data, { ...unchanged, updated: 1, unchanged: 2 });
    const page = { limit: 10, offset: 0 };
    const { items } = await world.services.nuggets.list(world.context, {}, page);
    const stored = items.map(({ claim, category, confidence }) => [claim, category, confidence]);
    assert.deepEqual(stored.sort(), [
      ['A', 'x', 0.3],
      ['B, "quoted"\nand broken', null, 0.5],
      ['C', null, null],
    ]);
    const entries = await world.auditEntries();
    assert.deepEqual(
      entries.map(({ action, after }) => [action, after]),
      [
        ['knowledge.imported', { created: 0, updated: 1 }],
        ['knowledge.imported', { created: 3, updated: 0 }],
      ],
    );
  });

  test(`${target.name}: a strict import stores all rows or none`, async (t) => {
    const world = await createWorld(t, { target });
    const send = await serveImport(t, world);
    const rows = Array.from({ length: 1_200 }, (_, at) => `Claim ${at},${SOURCE},,\n`);
    const bad = await send(`${HEADER}${rows.join('')},${SOURCE},,2\n`, 'text/csv', '?strict=true');
    assert.deepEqual(
      [bad.status, bad.body.error.code, bad.body.error.details],
      [
        422,
        'VALIDATION_ERROR',
        [
          { field: 'line 1202: claim', message: 'is required' },
          {
            field: 'line 1202: confidence',
            message: 'must be a number from 0 to 1, or one of low, medium, high, or null',
          },
        ],
      ],
    );
    assert.equal((await world.storage.findKnowledgeExtent(world.organizationId)).nuggets, 0);
    const good = await send(`${HEADER}${rows.join('')}`, 'text/csv', '?strict=true');
    assert.deepEqual([good.status, good.body.data.created], [201, 1_200]);
    const extent = await world.storage.findKnowledgeExtent(world.organizationId);
    assert.deepEqual(extent, { sequence: 1_200, nuggets: 1_200 });
  });
}

test('bad rows are told by line and member, and do not stop the others', async (t) => {
  const send = await serveImport(t, await createWorld(t));
  const file = [
    'Claim, Source_URL ,category,confidence,created_at',
    `A,${SOURCE},,,2026-02-03`,
    ',no address,,sure,',
    '"B',
    `still B",${SOURCE},,,`,
    '',
    `C,${SOURCE},a,b,c,d,e`,
    `D "quoted" inside,${SOURCE}`,
    `"E,${SOURCE}`,
  ].join('\n');
  const { status, body } = await send(file);
  const { id: _, errors, ...counts } = body.data;
  assert.equal(status, 201);
  assert.deepEqual(counts, { rows: 6, created: 3, updated: 0, unchanged: 0, failed: 3 });
  assert.deepEqual(
    errors.map(({ line, field }: { line: number; field: string | null }) => [line, field]),
    [
      [3, 'claim'],
      [3, 'source_url'],
      [3, 'confidence'],
      [7, null],
      [9, null],
    ],
  );
  assert.match(errors.at(-1).message, /quote that is not closed/);
});

test('a JSON array is imported, its bad rows told by place', async (t) => {
  const world = await createWorld(t);
  const send = await serveImport(t, world);
  const rows = [
    { claim: 'A', source_url: SOURCE, category: 'x', confidence: 0.7, created_at: '2026-01-02' },
    { claim: 'B', source_url: SOURCE, extra: 1 },
    'text',
    null,
    { claim: 'C\u0000', source_url: SOURCE },
    { claim: 'D', source_url: SOURCE, confidence: 'medium' },
  ];
  const { status, body } = await send(JSON.stringify(rows, null, 2), 'application/json');
  const { id: _, errors, ...counts } = body.data;
  assert.equal(status, 201);
  assert.deepEqual(counts, { rows: 6, created: 2, updated: 0, unchanged: 0, failed: 4 });
  assert.deepEqual(
    errors.map(({ line, field }: { line: number; field: string | null }) => [line, field]),
    [
      [2, 'extra'],
      [3, null],
      [4, null],
      [5, 'claim'],
    ],
  );
  assert.equal((await send('[]', 'application/json')).body.data.rows, 0);
});

test('what is no file of nuggets is refused as a whole', async (t) => {
  const send = await serveImport(t, await createWorld(t));
  const cases: Array<
    [file: string | Uint8Array<ArrayBuffer>, type: string, status: number, message: RegExp]
  > = [
    ['claim,category\nA,b\n', 'text/csv', 422, /source_url/],
    ['claim,source_url,rating\n', 'text/csv', 422, /rating/],
    ['claim,claim,source_url\n', 'text/csv', 422, /given twice/],
    ['', 'text/csv', 400, /needs a body/],
    ['\n\n', 'text/csv', 422, /must begin with a header/],
    [new Uint8Array([0xff, 0xfe, 0x41]), 'text/csv', 400, /UTF-8/],
    ['{"nuggets": []}', 'application/json', 400, /JSON array/],
    [' ', 'application/json', 400, /JSON array/],
    ['[{"claim": "A"', 'application/json', 400, /not valid JSON/],
    ['[{}] x', 'application/json', 400, /not valid JSON/],
    ['[nonsense', 'application/json', 400, /not valid JSON/],
    [`["${'x'.repeat(100_000)}"]`, 'application/json', 400, /64 KiB/],
    [`[${'['.repeat(100_000)}`, 'application/json', 400, /64 KiB/],
    ['x', 'text/plain', 415, /media type|text\/csv/],
  ];
  for (const [file, type, status, message] of cases) {
    const answer = await send(file, type);
    assert.equal(answer.status, status, `${String(file).slice(0, 40)}: ${JSON.stringify(answer)}`);
    assert.match(JSON.stringify(answer.body), message);
  }
});

test('rows beyond the limit of the knowledge base are refused', async (t) => {
  const send = await serveImport(t, await createWorld(t, { maxNuggets: 2 }));
  const file = `${HEADER}A,${SOURCE},,\nB,${SOURCE},,\nA,${SOURCE},x,\nC,${SOURCE},,\n`;
  const { data } = (await send(file)).body;
  assert.deepEqual([data.created, data.updated, data.failed], [2, 1, 1]);
  assert.match(data.errors[0].message, /full/);
  const strict = await send(`${HEADER}D,${SOURCE},,\n`, 'text/csv', '?strict=true');
  assert.deepEqual([strict.status, strict.body.error.details[0].field], [422, 'line 2']);
});

test('an Idempotency-Key, a wrong setting and a role without the permission are refused', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const send = await serveImport(t, world);
  assert.equal((await send(HEADER, 'text/csv', '?strict=yes')).status, 422);
  assert.equal((await send(HEADER, 'text/csv', '?other=1')).status, 422);
  const body = [{ claim: 'A', source_url: SOURCE }];
  assert.equal(
    (await call('POST /knowledge/nuggets/import', { body, token: 'member' })).status,
    403,
  );
});
