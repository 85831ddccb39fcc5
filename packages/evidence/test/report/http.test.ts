import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorld, serveText } from '../world.ts';

test('the report shows supporting and adverse evidence of a framework and an AI system', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const { services, context } = world;
  const system = { name: 'Größe <b>', riskClass: 'high', owner: 'HR' } as const;
  const { id: aiSystemId } = await services.aiSystems.create(context, system);
  await services.aiSystems.create(context, { name: 'Another system' });
  const [adverse] = await world.append(
    {
      ...{ aiSystemId, title: 'Red-team failure <script>', obligationIds: ['euaia-art-15-5'] },
      metadata: { findingType: 'red_team_failure' },
    },
    { aiSystemId, title: 'Passing tests', obligationIds: ['euaia-art-15-4'], metadata: {} },
    { title: 'About no system', obligationIds: ['soc2-cc8-1'] },
  );
  const query = `framework=EU%20AI%20Act&aiSystemId=${aiSystemId}`;
  const response = await get(`/compliance/report?${query}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const page = await response.text();
  assert.match(page, /<h1>Evidence report: EU AI Act, Größe &lt;b&gt;<\/h1>/);
  const rowOf = (reference: string) =>
    page.split('<tr>').find((row) => row.includes(`<td>${reference}</td>`)) ?? '';
  assert.match(rowOf('Article 15(5)'), /"number none">0<.*"number adverse">1</);
  assert.match(rowOf('Article 15(4)'), /"number supporting">1<.*"number none">0</);
  assert.match(page, /Red-team failure &lt;script&gt;/);
  assert.ok(page.includes(adverse?.id ?? '-'));
  assert.match(page, /intact: 3 records/);
  assert.match(page, /No lawyer has reviewed the catalogue/);
  assert.match(page, /@media print/);
  assert.doesNotMatch(page, /<script|Another system|About no system|CC8\.1/);
});

test('the report has all AI systems and frameworks by default, and none of others', async (t) => {
  const world = await createWorld(t);
  const get = await serveText(t, world);
  const empty = await (await get('/compliance/report')).text();
  assert.match(empty, /There are no AI systems and no evidence/);
  const { services, context } = world;
  const { id } = await services.aiSystems.create(context, { name: 'Desk' });
  await world.append({ title: 'About no system', obligationIds: ['soc2-cc8-1'] });
  const page = await (await get('/compliance/report')).text();
  assert.match(page, /<h2>Desk<\/h2>.*<h2>Evidence about no AI system<\/h2>/s);
  assert.match(page, /<h3>SOC 2<\/h3>/);
  assert.equal((await get(`/compliance/report?aiSystemId=${id}`, 'stranger')).status, 404);
  assert.equal((await get('/compliance/report?framework=GDPR')).status, 422);
});
