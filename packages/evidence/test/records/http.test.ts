import assert from 'node:assert/strict';
import test from 'node:test';
import { LATER } from '../../src/fixtures.ts';
import type { Evidence } from '../../src/index.ts';
import { createWorld, serve } from '../world.ts';

const UNKNOWN = '01920000-0000-7000-8000-000000000000';

test('a record is answered with the obligations that it supports', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const [record] = await world.append({ labels: { team: 'a' }, occurredAt: null });
  assert.ok(record);
  const { status, body } = await call(`GET /compliance/evidence/${record.id}`);
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    ...{ id: record.id, evidenceType: 'evaltool_eval', source: 'evaltool' },
    ...{ title: record.title, content: record.content, metadata: record.metadata },
    ...{ aiSystemId: null, labels: { team: 'a' } },
    links: [
      {
        obligationId: 'euaia-art-15-4',
        framework: 'EU AI Act',
        reference: 'Article 15(4)',
        title: 'Resilience against errors, faults and feedback loops',
        stance: 'supporting',
      },
      {
        obligationId: 'iso42001-a-6-2-4',
        framework: 'ISO 42001',
        reference: 'A.6.2.4',
        title: 'Verification and validation of AI systems',
        stance: 'supporting',
      },
    ],
    ...{ occurredAt: null, createdAt: record.createdAt.toISOString() },
    ...{ sequence: 1, hash: record.hash },
  });
  const foreign = await call(`GET /compliance/evidence/${record.id}`, { token: 'stranger' });
  const unknown = await call(`GET /compliance/evidence/${UNKNOWN}`);
  assert.deepEqual([foreign.status, unknown.status], [404, 404]);
  assert.equal(unknown.body.error.message, 'There is no such evidence record.');
});

test('the list is narrowed by every filter of the query', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id: aiSystemId } = await world.services.aiSystems.create(world.context, { name: 'A' });
  const [one, two] = await world.append(
    { aiSystemId, labels: { team: 'a', run: '1' }, content: 'Alpha' },
    {
      evidenceType: 'other',
      obligationIds: ['soc2-cc8-1'],
      createdAt: LATER,
      labels: { team: 'a' },
    },
  );
  assert.ok(one && two);
  const find = async (query: string) => {
    const { status, body } = await call(`GET /compliance/evidence?${query}`);
    assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
    assert.equal(body.total, body.data.length);
    return body.data.map(({ id }: Evidence) => id);
  };
  assert.deepEqual(await find(''), [two.id, one.id]);
  assert.deepEqual(await find(`aiSystemId=${aiSystemId}`), [one.id]);
  assert.deepEqual(await find('evidenceType=other'), [two.id]);
  assert.deepEqual(await find('framework=SOC%202'), [two.id]);
  assert.deepEqual(await find('framework=EU%20AI%20Act'), [one.id]);
  assert.deepEqual(await find('framework=NIST%20AI%20RMF'), []);
  assert.deepEqual(await find('obligation=iso42001-a-6-2-4'), [one.id]);
  assert.deepEqual(await find('framework=SOC%202&obligation=iso42001-a-6-2-4'), []);
  assert.deepEqual(await find('framework=ISO%2042001&obligation=iso42001-a-6-2-4'), [one.id]);
  assert.deepEqual(await find('label=team:a'), [two.id, one.id]);
  assert.deepEqual(await find('label=team:a,run:1'), [one.id]);
  assert.deepEqual(await find(`since=${LATER.toISOString()}`), [two.id]);
  assert.deepEqual(await find(`until=${LATER.toISOString()}`), [one.id]);
  assert.deepEqual(await find('q=alpha'), [one.id]);
  const page = await call('GET /compliance/evidence?limit=1&offset=1');
  assert.deepEqual(page.body.data[0].id, one.id);
  assert.deepEqual([page.body.total, page.body.has_more], [2, false]);
  const foreign = await call('GET /compliance/evidence', { token: 'stranger' });
  assert.equal(foreign.body.total, 0);
});

test('a wrong filter is answered with its name', async (t) => {
  const call = await serve(t, await createWorld(t));
  for (const [query, field] of [
    ['aiSystemId=x', 'aiSystemId'],
    ['framework=GDPR', 'framework'],
    ['obligation=euaia-art-999', 'obligation'],
    ['label=team', 'label'],
    ['since=yesterday', 'since'],
    ['until=2026-01-01', 'until'],
    ['q=', 'q'],
    ['limit=201', 'limit'],
    ['colour=red', 'colour'],
  ]) {
    const { status, body } = await call(`GET /compliance/evidence?${query}`);
    assert.ok(status === 400 || status === 422, `${query}: ${status}`);
    assert.equal(body.error.details[0].field, field, query);
  }
});

test('a change of the AI system or the labels is audited and stays verifiable', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id: aiSystemId } = await world.services.aiSystems.create(world.context, { name: 'A' });
  const [record] = await world.append({ labels: { team: 'a' } });
  const path = `/compliance/evidence/${record?.id}`;
  const patch = (body: object, token = 'owner') => call(`PATCH ${path}`, { body, token });
  const linked = await patch({ aiSystemId });
  assert.deepEqual([linked.status, linked.body.data.aiSystemId], [200, aiSystemId]);
  assert.deepEqual(linked.body.data.labels, { team: 'a' });
  const labelled = await patch({ labels: { env: 'prod' }, aiSystemId: null });
  assert.deepEqual(labelled.body.data.labels, { env: 'prod' });
  assert.deepEqual((await call(`GET ${path}`)).body, labelled.body);
  const [entry] = await world.auditEntries(1);
  assert.equal(entry?.action, 'evidence.updated');
  assert.deepEqual(entry?.before, { aiSystemId, labels: { team: 'a' } });
  assert.deepEqual(entry?.after, { aiSystemId: null, labels: { env: 'prod' } });
  const before = await world.storage.findEvidenceHead(world.organizationId);
  assert.equal((await patch({ labels: { env: 'prod' } })).status, 200);
  assert.equal((await patch({})).status, 200);
  assert.deepEqual(await world.storage.findEvidenceHead(world.organizationId), before);
  const { body } = await call('GET /compliance/evidence/verify');
  assert.deepEqual([body.data.valid, body.data.nodes, body.data.records], [true, 3, 1]);
});

test('a change that is not allowed changes nothing', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const [record] = await world.append({});
  const path = `PATCH /compliance/evidence/${record?.id}`;
  const statusOf = async (body: object, token = 'editor') =>
    (await call(path, { body, token })).status;
  assert.equal(await statusOf({ aiSystemId: UNKNOWN }), 404);
  assert.equal(await statusOf({ aiSystemId: 'x' }), 422);
  assert.equal(await statusOf({ labels: { a: 1 } }), 422);
  assert.equal(await statusOf({ labels: { '': 'x' } }), 422);
  assert.equal(await statusOf({ title: 'x' }), 422);
  assert.equal(await statusOf({ labels: {} }, 'viewer'), 403);
  assert.equal(await statusOf({ labels: {} }, 'stranger'), 404);
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, '']));
  assert.equal(await statusOf({ labels: many }), 422);
  assert.deepEqual(
    await world.storage.findEvidence(world.organizationId, record?.id ?? ''),
    record,
  );
});
