import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { OBLIGATIONS } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld, serveText, targets } from '../world.ts';
import type { AssessmentResults } from './schemas.ts';
import {
  assertPublished,
  assessmentResults,
  oscalCatalog,
  withoutPublishedSchema,
} from './schemas.ts';

type Get = Awaited<ReturnType<typeof serveText>>;

async function textOf(get: Get, path: string): Promise<string> {
  const response = await get(path);
  assert.equal(response.status, 200);
  return response.text();
}

async function exportOf(get: Get, query = ''): Promise<AssessmentResults> {
  return assessmentResults.parse(
    JSON.parse(await textOf(get, `/compliance/export?format=oscal${query}`)),
  );
}

const resultOf = (document: AssessmentResults) => {
  const [result] = document['assessment-results'].results;
  assert.ok(result);
  const { observations = [], findings = [] } = result;
  return { ...result, observations, findings };
};

/** Records of every kind, with names and labels that are no tokens and lines of OSCAL. */
async function furnish(world: World) {
  const { services, context } = world;
  const { id: aiSystemId } = await services.aiSystems.create(context, {
    ...{ name: ' Screening\nof applications ', riskClass: 'high', owner: 'HR' },
  });
  const records = await world.append(
    { aiSystemId, title: 'Red-team failure\nof x', metadata: { findingType: 'red_team_failure' } },
    { labels: { 'team ü': ' a\tb ', '1': 'x', empty: ' ' }, content: '', occurredAt: null },
    { evidenceType: 'runtime_summary', obligationIds: ['soc2-cc8-1'], title: ' ' },
    { evidenceType: 'penetration_test', obligationIds: [], metadata: { a: { b: [1, 'z', null] } } },
  );
  return { aiSystemId, records };
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: evidence is exported as OSCAL with links to records and obligations`, async (t) => {
    const world = await createWorld(t, { target });
    const get = await serveText(t, world);
    const { records } = await furnish(world);
    const document = await exportOf(get);
    const { observations, findings, 'local-definitions': local } = resultOf(document);
    assert.equal(observations.length, 4);
    const [first, second, third, fourth] = observations;
    assert.equal(first?.title, 'Red-team failure of x');
    assert.deepEqual(first?.types, ['finding']);
    assert.equal(first?.subjects?.[0]?.['subject-uuid'], local?.components[0]?.uuid);
    assert.equal(first?.['relevant-evidence'][0]?.href, `evidence/${records[0]?.id}`);
    const hrefs = ['catalog#euaia-art-15-4', 'catalog#iso42001-a-6-2-4'];
    assert.deepEqual(
      first?.links?.map(({ href, rel }) => [href, rel]),
      hrefs.map((href) => [href, 'contradicts']),
    );
    const labels = second?.props.filter(({ class: kind }) => kind === 'label');
    assert.deepEqual(
      labels?.map(({ name, value }) => [name, value]),
      [
        ['_1', 'x'],
        ['team-ü', 'a b'],
      ],
    );
    assert.equal(second?.collected, records[1]?.createdAt.toISOString());
    assert.deepEqual([third?.methods, third?.title], [['EXAMINE'], '-']);
    assert.deepEqual([fourth?.methods, fourth?.links], [['UNKNOWN'], undefined]);
    const values = fourth?.props.filter(({ name }) => name === 'a.b');
    assert.deepEqual(
      values?.map(({ value }) => value),
      ['1', 'z'],
    );
    const all = resultOf(await exportOf(get, '&findings=all'));
    assert.equal(all.findings.length, OBLIGATIONS.length);
    assert.deepEqual(
      findings.map((finding) => [
        `${finding.target.status.state} ${finding.target['target-id']}`,
        finding['related-observations']?.map((related) => related['observation-uuid']),
      ]),
      [
        ['not-satisfied euaia-art-15-4_obj', [first?.uuid, second?.uuid]],
        ['not-satisfied iso42001-a-6-2-4_obj', [first?.uuid, second?.uuid]],
        ['satisfied soc2-cc8-1_obj', [third?.uuid]],
      ],
    );
  });
}

test('the same data make the same document, byte for byte, and others have other UUIDs', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  await furnish(world);
  const path = '/compliance/export?format=oscal';
  const text = await textOf(get, path);
  assert.equal(await textOf(get, path), text);
  const uuidOf = (document: AssessmentResults) => document['assessment-results'].uuid;
  const before = uuidOf(await exportOf(get));
  assert.notEqual(uuidOf(await exportOf(get, '&framework=SOC%202')), before);
  await world.append({});
  assert.notEqual(uuidOf(await exportOf(get)), before);
});

test('every UUID that is referred to is in the document, also of an export of many slices', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  await furnish(world);
  await world.append(...Array.from({ length: 450 }, () => ({})));
  const document = await exportOf(get);
  const { observations, findings } = resultOf(document);
  const uuids = new Set(observations.map(({ uuid }) => uuid));
  assert.equal(uuids.size, 454);
  const related = findings.flatMap((finding) => finding['related-observations'] ?? []);
  assert.equal(related.length, 2 * 452 + 1);
  for (const { 'observation-uuid': uuid } of related) assert.ok(uuids.has(uuid));
  const { 'import-ap': plan, 'back-matter': back } = document['assessment-results'];
  assert.equal(plan.href, `#${back.resources[0]?.uuid}`);
});

test('an export as OSCAL is narrowed by the filters, and one without records has no observation', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  assert.equal(resultOf(await exportOf(get)).observations.length, 0);
  await furnish(world);
  const found = resultOf(await exportOf(get, '&framework=SOC%202'));
  assert.equal(found.observations.length, 1);
  assert.ok(found.findings.every(({ target }) => target['target-id'].startsWith('soc2-')));
  const none = resultOf(await exportOf(get, '&framework=SOC%202&obligation=euaia-art-15-4'));
  assert.deepEqual([none.observations, none.findings], [[], []]);
  const response = await get('/compliance/export?format=oscal', 'stranger');
  assert.equal(response.headers.get('content-type'), 'application/oscal+json');
  const foreign = assessmentResults.parse(await response.json());
  assert.equal(resultOf(foreign).observations.length, 0);
  assert.equal(resultOf(foreign)['local-definitions'], undefined);
});

test('the catalogue is an OSCAL catalog that has every control and objective of an export', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const text = await textOf(get, '/compliance/catalog');
  assert.equal(await textOf(get, '/compliance/catalog'), text);
  const { catalog } = oscalCatalog.parse(JSON.parse(text));
  assert.match(catalog.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/);
  const controls = catalog.groups.flatMap((group) => group.controls);
  assert.deepEqual(
    controls.map(({ id }) => id),
    OBLIGATIONS.map(({ id }) => id),
  );
  const parts = new Set(controls.flatMap((control) => control.parts.map(({ id }) => id)));
  assert.equal(parts.size, 2 * OBLIGATIONS.length);
  const { findings } = resultOf(await exportOf(get, '&findings=all'));
  assert.equal(findings.length, OBLIGATIONS.length);
  for (const { target } of findings) assert.ok(parts.has(target['target-id']));
  const one = oscalCatalog.parse(
    JSON.parse(await textOf(get, '/compliance/catalog?framework=SOC%202')),
  );
  assert.deepEqual(
    one.catalog.groups.map(({ title }) => title),
    ['SOC 2'],
  );
  assert.doesNotMatch(text, /complies/);
});

test('names and texts of records are no markup of the document', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const hostile = '<img src=x> [a](javascript:b) {{ insert: param, p }} `c` *d* _e_ gpt_4 &lt; \\';
  const shown =
    '\\<img src=x\\> \\[a\\](javascript:b) \\{\\{ insert: param, p \\}\\} \\`c\\` \\*d\\* \\_e\\_ gpt_4 \\&lt; \\\\';
  const { id: aiSystemId } = await world.services.aiSystems.create(world.context, {
    ...{ name: hostile, description: `${hostile}\n # f`, riskClass: null },
  });
  await world.append({ aiSystemId, title: hostile, content: `# ${hostile}` });
  const { observations, 'local-definitions': local } = resultOf(await exportOf(get));
  assert.deepEqual([observations[0]?.title, observations[0]?.description], [shown, `\\# ${shown}`]);
  const [component] = local?.components ?? [];
  assert.deepEqual([component?.title, component?.description], [shown, `${shown}\n \\# f`]);
});

test('no document says that an obligation is complied with', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  await furnish(world);
  const text = await textOf(get, '/compliance/export?format=oscal');
  assert.doesNotMatch(text, /complies|compliant/);
});

test('documents are valid by the published schema', { skip: withoutPublishedSchema }, async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const paths = ['export?format=oscal', 'catalog', 'catalog?framework=SOC%202'];
  for (const path of paths) {
    assertPublished(JSON.parse(await textOf(get, `/compliance/${path}`)));
  }
  await furnish(world);
  const filters = [
    '',
    '&findings=all',
    '&framework=SOC%202',
    '&framework=SOC%202&obligation=euaia-art-15-4',
  ];
  for (const filter of filters) {
    const path = `/compliance/export?format=oscal${filter}`;
    assertPublished(JSON.parse(await textOf(get, path)));
  }
  assert.throws(() => assertPublished({ 'assessment-results': {} }));
});
