import assert from 'node:assert/strict';
import test from 'node:test';
import { LATER } from '../../src/fixtures.ts';
import { createWorld, serveText } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
const bodyOf = async (response: Response): Promise<any> => response.json();

test('records are exported as JSON in the order of the chain, as a list answers them', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const empty = await get('/compliance/export');
  assert.deepEqual(await empty.json(), { data: [] });
  const facts = Array.from({ length: 450 }, (_, index) => ({ content: `Ä ${index}` }));
  await world.append(...facts);
  const { data: listed } = await bodyOf(await get('/compliance/evidence?limit=2'));
  const response = await get('/compliance/export?format=json');
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="evidence.json"');
  const { data } = await bodyOf(response);
  assert.deepEqual(
    data.map(({ sequence }: { sequence: number }) => sequence),
    Array.from({ length: 450 }, (_, index) => index + 1),
  );
  assert.deepEqual(data.slice(-2).reverse(), listed);
  const foreign = await get('/compliance/export', 'stranger');
  assert.deepEqual(await foreign.json(), { data: [] });
});

test('an export is narrowed by the filters of the list', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const [one, two] = await world.append(
    { labels: { team: 'a' }, content: 'Alpha' },
    { evidenceType: 'other', obligationIds: ['soc2-cc8-1'], createdAt: LATER },
  );
  assert.ok(one && two);
  const find = async (query: string) => {
    const { data } = await bodyOf(await get(`/compliance/export?${query}`));
    return data.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await find('format=json'), [one.id, two.id]);
  assert.deepEqual(await find('label=team:a'), [one.id]);
  assert.deepEqual(await find('q=alpha'), [one.id]);
  assert.deepEqual(await find('evidenceType=other'), [two.id]);
  assert.deepEqual(await find('framework=SOC%202'), [two.id]);
  assert.deepEqual(await find('framework=SOC%202&obligation=euaia-art-15-4'), []);
  assert.deepEqual(await find(`since=${LATER.toISOString()}`), [two.id]);
  assert.deepEqual(await find(`until=${LATER.toISOString()}`), [one.id]);
  for (const [query, field] of [
    ['format=xml', 'format'],
    ['framework=GDPR', 'framework'],
    ['limit=5', 'limit'],
    ['format=jsonl&q=alpha', 'q'],
    ['format=jsonl&framework=SOC%202', 'framework'],
  ]) {
    const response = await get(`/compliance/export?${query}`);
    const { error } = await bodyOf(response);
    assert.ok(response.status === 400 || response.status === 422, `${query}: ${response.status}`);
    assert.equal(error.details[0].field, field, query);
  }
});

/** The cells of CSV (RFC 4180), by line. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  let rest = text;
  while (rest !== '') {
    const [found, quoted, plain = '', end] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    assert.ok(found, rest);
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') lines.push([]);
    rest = rest.slice(found.length);
  }
  return lines.slice(0, -1);
}

test('an export as CSV has a line for each record, and no cell is a formula', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '"a", b\r\nc', ''];
  const records = await world.append(...texts.map((title) => ({ title, occurredAt: null })));
  const response = await get('/compliance/export?format=csv');
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  const text = await csvTextOf(response);
  const [header = [], ...lines] = parseCsv(text);
  assert.equal(
    header.join(),
    'sequence,id,createdAt,occurredAt,evidenceType,source,title,content,aiSystemId,labels,obligations,metadata,hash,aiSystem,provider,result,passRate,score,severity,adverseObligations',
  );
  const cell = (line: string[] | undefined, name: string) => line?.[header.indexOf(name)] ?? '';
  const titles = lines.map((line) => cell(line, 'title'));
  const inner = (title: string) => title.replace(/^[\t\r\n]/, "$&'");
  const apostrophes = texts.map((title, index) => (index < 8 ? `'${inner(title)}` : title));
  assert.deepEqual(titles, apostrophes);
  const [first] = records;
  assert.ok(first);
  assert.deepEqual(lines[0], [
    ...['1', first.id, first.createdAt.toISOString(), '', 'evaltool_eval', 'evaltool', "'=1+1"],
    ...[first.content, '', '{}', 'euaia-art-15-4 iso42001-a-6-2-4'],
    ...[JSON.stringify(first.metadata), first.hash, '', '', '', '', '0.25', '', ''],
  ]);
  const none = await get('/compliance/export?format=csv&q=nothing');
  assert.equal(await csvTextOf(none), `${header.join()}\r\n`);
});

/** The text of a CSV export after its byte order mark, without which Excel reads another encoding. */
async function csvTextOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  return bytes.subarray(3).toString('utf8');
}

test('a CSV export defuses a formula after a semicolon, a tab or a line break', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const texts = [
    ["x;=1+cmd|' /C calc'!A0", "x;'=1+cmd|' /C calc'!A0"],
    ['x\t @SUM(A1)', "x\t '@SUM(A1)"],
    ['x;"=1"', 'x;"\'=1"'],
    ['x\n+1+1', "x\n'+1+1"],
    ['x; ＝1', "x; '＝1"],
    ['from -5; -7.5; a-b; 1 = 1', 'from -5; -7.5; a-b; 1 = 1'],
  ] as const;
  await world.append(...texts.map(([title]) => ({ title, content: title, occurredAt: null })));
  for (const rows of ['records', 'obligations']) {
    const text = await csvTextOf(await get(`/compliance/export?format=csv&rows=${rows}`));
    const [header = [], ...lines] = parseCsv(text);
    for (const name of ['title', 'content']) {
      const cells = new Set(lines.map((line) => line[header.indexOf(name)]));
      assert.deepEqual(cells, new Set(texts.map(([, safe]) => safe)));
    }
  }
});

test('an export as CSV has a row for each record and obligation with readable names', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const { id: aiSystemId } = await world.services.aiSystems.create(world.context, {
    name: 'Größe der Bewerbung',
  });
  await world.append(
    {
      ...{ aiSystemId, title: 'Red-team failure', labels: { team: 'a', env: 'ci' } },
      metadata: {
        ...{ findingType: 'red_team_failure', provider: 'desk', providerLabel: 'two' },
        ...{ score: 0.2, severity: 'high' },
      },
    },
    {
      obligationIds: ['iso42001-8-2', 'soc2-cc8-1'],
      metadata: {
        ...{ providers: ['desk'], providerLabels: [], passRate: 0.5 },
        findingCategories: ['security', 'general testing'],
      },
    },
    { obligationIds: [], title: 'Alone' },
  );
  const response = await get('/compliance/export?format=csv&rows=obligations');
  const [header = [], ...lines] = parseCsv(await csvTextOf(response));
  const rows = lines.map((line) => Object.fromEntries(header.map((name, at) => [name, line[at]])));
  const shown = rows.map((row) => [row.sequence, row.framework, row.reference, row.stance]);
  assert.deepEqual(shown, [
    ['1', 'EU AI Act', 'Article 15(4)', 'adverse'],
    ['1', 'ISO 42001', 'A.6.2.4', 'adverse'],
    ['2', 'ISO 42001', '8.2', 'adverse'],
    ['2', 'SOC 2', 'CC8.1', 'supporting'],
    ['3', '', '', ''],
  ]);
  const [first, , third] = rows;
  assert.equal(first?.obligation, 'Resilience against errors, faults and feedback loops');
  assert.deepEqual(
    [first?.aiSystem, first?.provider, first?.result, first?.score, first?.severity],
    ['Größe der Bewerbung', 'desk [two]', 'red team failure', '0.2', 'high'],
  );
  assert.equal(first?.labels, 'team=a; env=ci');
  assert.deepEqual([third?.provider, third?.passRate], ['desk', '0.5']);
  const refused = await get('/compliance/export?format=json&rows=obligations');
  assert.equal((await bodyOf(refused)).error.details[0].field, 'rows');
});
