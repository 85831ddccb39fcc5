import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { OBLIGATIONS } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld, serve, targets } from '../world.ts';

interface Covered {
  id: string;
  applicability: string;
  evidenceCount: number;
  newestEvidence: { id: string } | null;
}

async function createSystem(
  { services, context }: World,
  name: string,
  riskClass?: 'high' | 'minimal',
) {
  return (await services.aiSystems.create(context, { name, riskClass })).id;
}

test('obligations are listed with the number of records and the newest one', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const aiSystemId = await createSystem(world, 'A');
  const records = await world.append(
    { obligationIds: ['soc2-cc8-1'] },
    { obligationIds: ['soc2-cc8-1', 'soc2-cc7-1'], aiSystemId },
    { obligationIds: ['soc2-cc7-1'] },
    { obligationIds: [] },
  );
  const { body } = await call('GET /compliance/obligations?framework=SOC%202&limit=200');
  assert.deepEqual([body.total, body.data.length, body.has_more], [11, 11, false]);
  const of = (id: string) => body.data.find((each: Covered) => each.id === id);
  assert.deepEqual([of('soc2-cc8-1').evidenceCount, of('soc2-cc7-1').evidenceCount], [2, 2]);
  assert.equal(of('soc2-cc8-1').newestEvidence.id, records[1]?.id);
  assert.equal(of('soc2-cc7-1').newestEvidence.id, records[2]?.id);
  assert.deepEqual([of('soc2-cc4-1').evidenceCount, of('soc2-cc4-1').newestEvidence], [0, null]);
  const all = await call('GET /compliance/obligations?limit=200');
  assert.equal(all.body.total, OBLIGATIONS.length);
  assert.equal(all.body.data[0].id, 'euaia-art-4');
  const page = await call('GET /compliance/obligations?limit=2&offset=100');
  assert.deepEqual([page.body.data.length, page.body.has_more], [2, false]);
  const foreign = await call('GET /compliance/obligations?framework=SOC%202', {
    token: 'stranger',
  });
  assert.ok(foreign.body.data.every((each: Covered) => each.evidenceCount === 0));
});

test('the coverage has a row for each AI system, with what its class asks for', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const high = await createSystem(world, 'Screening', 'high');
  await world.clock.advance(1);
  const minimal = await createSystem(world, 'Spelling', 'minimal');
  await world.clock.advance(1);
  const open = await createSystem(world, 'New');
  const [of15] = await world.append({ aiSystemId: high, obligationIds: ['euaia-art-15-4'] });
  await world.append(
    { aiSystemId: minimal, obligationIds: ['euaia-art-15-4', 'euaia-art-4'] },
    { obligationIds: ['euaia-art-15-4'] },
  );
  const { status, body } = await call('GET /compliance/coverage?framework=EU%20AI%20Act');
  assert.equal(status, 200);
  assert.deepEqual(
    body.data.map(({ aiSystem }: { aiSystem: { id: string } | null }) => aiSystem?.id ?? null),
    [high, minimal, open, null],
  );
  assert.deepEqual([body.total, body.has_more], [4, false]);
  const cell = (row: number, id: string): Covered | undefined =>
    body.data[row].obligations.find((each: Covered) => each.id === id);
  const covered = cell(0, 'euaia-art-15-4');
  assert.deepEqual(
    [covered?.applicability, covered?.evidenceCount, covered?.newestEvidence?.id],
    ['applies_later', 1, of15?.id],
  );
  assert.equal(cell(0, 'euaia-art-55-1-a'), undefined);
  assert.equal(cell(1, 'euaia-art-15-4'), undefined, 'not about systems of minimal risk');
  assert.deepEqual(
    [cell(1, 'euaia-art-4')?.applicability, cell(1, 'euaia-art-4')?.evidenceCount],
    ['applies', 1],
  );
  assert.equal(cell(2, 'euaia-art-15-4')?.applicability, 'unclassified');
  assert.deepEqual(cell(2, 'euaia-art-15-4')?.newestEvidence, null);
  assert.equal(cell(3, 'euaia-art-15-4')?.evidenceCount, 1);
});

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a failed red-team test is adverse evidence, not supporting`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const assertion = { type: 'promptfoo:redteam:pii' };
    const body = {
      evaltoolOutput: {
        version: 3,
        timestamp: '2026-05-01T08:00:00.000Z',
        results: [
          {
            ...{ provider: { id: 'desk' }, success: false, score: 0 },
            gradingResult: {
              pass: false,
              score: 0,
              componentResults: [{ pass: false, assertion }],
            },
          },
          { provider: { id: 'desk' }, success: true, score: 1 },
        ],
      },
    };
    assert.equal((await call('POST /compliance/evidence/import/evaltool', { body })).status, 201);
    const read = async (path: string) => (await call(`GET ${path}`)).body.data;
    const countsOf = (obligations: readonly Counted[], id: string) => {
      const found = obligations.find((each) => each.id === id);
      return [
        ...[found?.evidenceCount, found?.supportingCount, found?.adverseCount],
        found?.newestEvidence?.stance,
      ];
    };
    const obligations = await read('/compliance/obligations?limit=200');
    const [row] = await read('/compliance/coverage');
    for (const each of [obligations, row.obligations]) {
      assert.deepEqual(countsOf(each, 'euaia-art-15-5'), [2, 0, 2, 'adverse']);
      assert.deepEqual(countsOf(each, 'soc2-cc8-1'), [1, 1, 0, 'supporting']);
    }
    const records = await read('/compliance/evidence');
    const stances = records.map(({ links }: { links: ReadonlyArray<{ stance: string }> }) => [
      ...new Set(links.map(({ stance }) => stance)),
    ]);
    assert.deepEqual(
      stances.map((each: string[]) => each.sort()),
      [['adverse'], ['adverse', 'supporting']],
    );
  });
}

interface Counted {
  id: string;
  evidenceCount: number;
  supportingCount: number;
  adverseCount: number;
  newestEvidence: { stance: string } | null;
}

test('the coverage is in pages of AI systems, and of one system on demand', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const first = await createSystem(world, 'A');
  await world.clock.advance(1);
  const second = await createSystem(world, 'B');
  const idsOf = async (query: string) => {
    const { body } = await call(`GET /compliance/coverage?framework=SOC%202&${query}`);
    const rows = body.data.map(({ aiSystem }: { aiSystem: { id: string } | null }) => aiSystem?.id);
    return [rows, body.total, body.has_more];
  };
  assert.deepEqual(await idsOf('limit=1'), [[first], 2, true]);
  await world.append({});
  assert.deepEqual(await idsOf('limit=2'), [[first, second], 3, true]);
  assert.deepEqual(await idsOf('limit=2&offset=2'), [[undefined], 3, false]);
  assert.deepEqual(await idsOf('limit=2&offset=3'), [[], 3, false]);
  assert.deepEqual(await idsOf(`aiSystemId=${second}`), [[second], 1, false]);
  const query = `GET /compliance/coverage?aiSystemId=${second}`;
  assert.deepEqual((await call(query, { token: 'stranger' })).body.data, []);
  assert.equal((await call('GET /compliance/coverage?aiSystemId=x')).status, 422);
});

test('an obligation applies from its date on', async (t) => {
  const world = await createWorld(t);
  const aiSystemId = await createSystem(world, 'A', 'high');
  const { coverage } = world.services;
  const applicability = async () => {
    const filter = { framework: 'EU AI Act', aiSystemId } as const;
    const { items } = await coverage.list(world.context, filter, { limit: 1, offset: 0 });
    const cells = items[0]?.obligations ?? [];
    return cells.find(({ obligation }) => obligation.id === 'euaia-art-15-4')?.applicability;
  };
  assert.equal(await applicability(), 'applies_later');
  await world.clock.advance(
    new Date('2027-12-02T00:00:00Z').getTime() - world.clock.now().getTime(),
  );
  assert.equal(await applicability(), 'applies');
});
