import assert from 'node:assert/strict';
import test from 'node:test';
import type { SqlSession } from '@probity/core/sql';
import { hashContent, hashLinks, hashNode } from '../../src/chain/form.ts';
import type { EvidenceNode } from '../../src/index.ts';
import { verifyEvidenceChain } from '../../src/index.ts';
import type { World } from '../world.ts';
import { serve, sqlTargets } from '../world.ts';
import { faultOf, furnish, tamper } from './tampered.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly key: string;
  readonly id: unknown;
  readonly value: unknown;
}

/** Every column of every row that evidence is stored in. */
async function columnsOf(session: SqlSession, organizationId: string): Promise<Column[]> {
  const columns: Column[] = [];
  const keys = {
    probity_evidence_records: 'sequence',
    probity_evidence_nodes: 'sequence',
    probity_evidence_heads: 'organization_id',
    probity_evidence_link_sets: 'id',
  };
  const place = session.dialect === 'sqlite' ? '?' : '$1';
  for (const [table, key] of Object.entries(keys)) {
    const { rows } = await session.execute<Record<string, unknown>>(
      `select * from ${table} where organization_id = ${place}`,
      [organizationId],
    );
    for (const row of rows) {
      for (const [name, value] of Object.entries(row)) {
        columns.push({ table, name, key, id: row[key], value });
      }
    }
  }
  return columns;
}

/** Another value of the same kind, of which one character differs. */
function changed({ name, value, table }: Column): unknown {
  if (typeof value === 'number') return name === 'sequence' ? value + 100 : value + 1;
  if (value === null) return ['occurred_at', 'amendment'].includes(name) ? 1 : 'x';
  const text = String(value);
  // The unreadable JSON of a set of obligations is as good as any other.
  const at = table === 'probity_evidence_link_sets' ? 0 : text.length - 1;
  const other = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + other + text.slice(at + 1);
}

for (const target of sqlTargets) {
  test(`${target.name}: a changed byte in any column of a record, node, set or end is found`, async (t) => {
    const world = await furnish(t, target);
    const { organizationId } = world;
    let columns: Column[] = [];
    await tamper(world, async (session) => {
      columns = await columnsOf(session, organizationId);
    });
    const undetected: string[] = [];
    let tried = 0;
    for (const column of columns) {
      const { table, name, key, id, value } = column;
      // Foreign keys refuse an organization and an AI system that do not exist.
      if (name === 'organization_id' || name === 'ai_system_id') continue;
      const write = (to: unknown, of: unknown) =>
        tamper(world, async (session) => {
          const places = session.dialect === 'sqlite' ? ['?', '?', '?'] : ['$1', '$2', '$3'];
          await session.execute(
            `update ${table} set ${name} = ${places[0]}
              where organization_id = ${places[1]} and ${key} = ${places[2]}`,
            [to, organizationId, of],
          );
        });
      const to = changed(column);
      await write(to, id);
      tried += 1;
      const fault = await faultOf(world);
      if (!fault) undetected.push(`${table}.${name} of ${id}`);
      await write(value, name === key ? to : id);
    }
    assert.equal(await faultOf(world), null);
    assert.deepEqual(undetected, []);
    assert.ok(tried > 120, `${tried} columns`);
  });

  test(`${target.name}: another AI system of a record is found`, async (t) => {
    const world = await furnish(t, target);
    const { id } = await world.services.aiSystems.create(world.context, { name: 'Other' });
    await tamper(world, async (session) => {
      await session.execute(
        `update probity_evidence_records set ai_system_id = '${id}' where sequence = 3`,
        [],
      );
    });
    assert.deepEqual(await faultOf(world), [3, 'changed']);
  });

  test(`${target.name}: a removed record is found, with and without its node, also the last`, async (t) => {
    const remove = async (...statements: readonly string[]) => {
      const world = await furnish(t, target);
      await tamper(world, async (session) => {
        for (const statement of statements) await session.execute(statement, []);
      });
      return faultOf(world);
    };
    const record = (at: number) => `delete from probity_evidence_records where sequence = ${at}`;
    const node = (at: number) => `delete from probity_evidence_nodes where sequence = ${at}`;
    assert.deepEqual(await remove(record(3)), [3, 'missing']);
    assert.deepEqual(await remove(record(3), node(3)), [3, 'missing']);
    assert.deepEqual(await remove(record(6), node(6)), [6, 'missing']);
    assert.deepEqual(await remove(record(1), node(1)), [1, 'missing']);
    const shortened = `update probity_evidence_heads set sequence = 5, hash = (
      select hash from probity_evidence_nodes where sequence = 5
    )`;
    const indexes = ['labels', 'runs'].map(
      (name) => `delete from probity_evidence_${name} where sequence = 6`,
    );
    const whole = [record(6), node(6), ...indexes];
    assert.deepEqual(await remove(...whole, shortened), [5, 'unsealed']);
    assert.deepEqual(await remove(record(6), node(6), shortened), [6, 'added']);
    const ended = 'delete from probity_evidence_heads';
    assert.deepEqual(await remove(ended), [7, 'missing']);
    const removed = 'update probity_evidence_heads set removed_through = 3';
    const label = 'delete from probity_evidence_labels where sequence = 3';
    assert.deepEqual(await remove(record(3), label, removed), [6, 'unsealed']);
    assert.deepEqual(await remove('update probity_evidence_heads set sealed_end = null'), [
      6,
      'unsealed',
    ]);
  });

  test(`${target.name}: exchanged records and an amendment that was put back are found`, async (t) => {
    const world = await furnish(t, target);
    await tamper(world, async (session) => {
      for (const [from, to] of [
        [3, 99],
        [4, 3],
        [99, 4],
      ]) {
        await session.execute(
          `update probity_evidence_records set sequence = ${to} where sequence = ${from}`,
          [],
        );
      }
    });
    assert.deepEqual(await faultOf(world), [3, 'changed']);
    const other = await furnish(t, target);
    await tamper(other, async (session) => {
      await session.execute(
        `update probity_evidence_records set amendment = null, labels = '{"team":"a"}' where sequence = 2`,
        [],
      );
    });
    assert.deepEqual(await faultOf(other), [2, 'unindexed']);
    await tamper(other, async (session) => {
      await session.execute(
        `update probity_evidence_labels set value = 'a' where sequence = 2`,
        [],
      );
    });
    assert.deepEqual(await faultOf(other), [5, 'changed']);
  });

  test(`${target.name}: a chain that was computed anew is found, also after the next record`, async (t) => {
    const world = await furnish(t, target);
    await tamper(world, rechain);
    assert.deepEqual(await faultOf(world), [6, 'unsealed']);
    await world.append({});
    assert.deepEqual(await faultOf(world), [7, 'lost']);
    const { lines } = world;
    assert.deepEqual(lines, []);
  });

  test(`${target.name}: a whole chain that was computed anew with the database alone is found over HTTP`, async (t) => {
    const world = await furnish(t, target);
    const call = await serve(t, world);
    const verify = async () => (await call('GET /compliance/evidence/verify')).body.data;
    assert.deepEqual([(await verify()).valid, (await verify()).fault], [true, null]);
    await tamper(world, rewriteAll);
    const { valid, fault, end } = await verify();
    assert.deepEqual([valid, fault], [false, { sequence: 6, reason: 'unsealed' }]);
    assert.equal(end.sequence, 6);
    const bare = verifyEvidenceChain(world.storage, world.organizationId);
    assert.equal((await bare).fault, null, 'without the key nothing is found');
    await world.append({});
    assert.deepEqual((await verify()).fault, { sequence: 7, reason: 'lost' });
  });

  test(`${target.name}: an index that lists do not find a record by is found`, async (t) => {
    for (const [statement, at] of [
      [`update probity_evidence_labels set value = 'z' where sequence = 3`, 3],
      [`update probity_evidence_labels set name = 'tean' where sequence = 2`, 2],
      ['delete from probity_evidence_labels where sequence = 3', 3],
      [`update probity_evidence_labels set sequence = 4 where sequence = 3 and name = 'team'`, 3],
      [
        `insert into probity_evidence_labels (organization_id, name, value, sequence)
          select organization_id, '1:a', 'x:1:', 6 from probity_evidence_heads`,
        6,
      ],
      ['delete from probity_evidence_runs where sequence = 6', 6],
      ['update probity_evidence_runs set successes = 100 where sequence = 6', 6],
      [`update probity_evidence_runs set provider = 'x' where sequence = 6`, 6],
      [`update probity_evidence_runs set provider_label = 'x' where sequence = 6`, 6],
      ['update probity_evidence_runs set evaluated_at = 5 where sequence = 6', 6],
      ['update probity_evidence_runs set sequence = 4 where sequence = 6', 4],
    ] as const) {
      const world = await furnish(t, target);
      await tamper(world, async (session) => {
        await session.execute(statement, []);
      });
      assert.deepEqual(await faultOf(world), [at, 'unindexed'], statement);
    }
  });

  test(`${target.name}: a node that was added behind the end is found`, async (t) => {
    const world = await furnish(t, target);
    await tamper(world, async (session, { organizationId }) => {
      const [last] = await nodesOf(session, 'desc');
      assert.ok(last);
      const added = { ...last, sequence: 7, previousHash: last.hash, amends: 'x', id: 'x' };
      await insertNode(session, organizationId, { ...added, idempotencyKey: null });
    });
    assert.deepEqual(await faultOf(world), [7, 'added']);
  });
}

interface NodeColumns {
  id: string;
  organization_id: string;
  sequence: number;
  amends: string | null;
  idempotency_key: string | null;
  content_hash: string;
  links_hash: string;
  previous_hash: string;
  hash: string;
  created_at: number;
}

async function nodesOf(session: SqlSession, order: 'asc' | 'desc'): Promise<EvidenceNode[]> {
  const { rows } = await session.execute<NodeColumns>(
    `select * from probity_evidence_nodes order by sequence ${order}`,
    [],
  );
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    sequence: row.sequence,
    amends: row.amends,
    idempotencyKey: row.idempotency_key,
    contentHash: row.content_hash,
    linksHash: row.links_hash,
    previousHash: row.previous_hash,
    hash: row.hash,
    createdAt: new Date(row.created_at),
  }));
}

async function insertNode(
  session: SqlSession,
  organizationId: string,
  node: EvidenceNode,
): Promise<void> {
  const { id, sequence, amends, contentHash, linksHash, previousHash, createdAt } = node;
  const hash = hashNode(node, { sequence, previousHash });
  await session.execute(
    `insert into probity_evidence_nodes (organization_id, sequence, id, amends, idempotency_key,
      content_hash, links_hash, previous_hash, hash, created_at)
      values ('${organizationId}', ${sequence}, '${id}', '${amends}', null, '${contentHash}',
        '${linksHash}', '${previousHash}', '${hash}', ${createdAt.getTime()})`,
    [],
  );
}

/** Hides that the third record is gone, and computes every later hash anew. */
async function rechain(session: SqlSession): Promise<void> {
  for (const table of ['records', 'labels']) {
    await session.execute(`delete from probity_evidence_${table} where sequence = 3`, []);
  }
  let last: EvidenceNode | undefined;
  for (const node of await nodesOf(session, 'asc')) {
    const isReplaced = node.sequence === 3;
    // The third record becomes an amendment of the first, so that nothing is missing.
    const amends = isReplaced ? 'gone' : node.amends;
    const previousHash = last?.hash ?? '';
    const { sequence } = node;
    const hash = hashNode({ ...node, amends }, { sequence, previousHash });
    await session.execute(
      `update probity_evidence_nodes set hash = '${hash}', previous_hash = '${previousHash}'
        ${isReplaced ? `, amends = 'gone'` : ''} where sequence = ${sequence}`,
      [],
    );
    last = { ...node, hash };
  }
  await session.execute(`update probity_evidence_heads set hash = '${last?.hash}'`, []);
}

/** Changes what every record says, and computes all hashes anew, as somebody with the database alone can. */
async function rewriteAll(session: SqlSession, { organizationId, storage }: World): Promise<void> {
  const place = (at: number) => (session.dialect === 'sqlite' ? '?' : `$${at}`);
  let last: { hash: string } | undefined;
  for (const { record, amendment: _, ...node } of await storage.readEvidenceChain(
    organizationId,
    0,
    100,
  )) {
    const forged = record && { ...record, content: 'Every test passed.' };
    const contentHash = forged ? hashContent(forged) : node.contentHash;
    const linksHash = forged?.amendment === null ? hashLinks(forged) : node.linksHash;
    const previousHash = last?.hash ?? '';
    const { sequence } = node;
    const hash = hashNode({ ...node, contentHash, linksHash }, { sequence, previousHash });
    await session.execute(
      `update probity_evidence_nodes set content_hash = ${place(1)}, links_hash = ${place(2)},
        previous_hash = ${place(3)}, hash = ${place(4)} where sequence = ${place(5)}`,
      [contentHash, linksHash, previousHash, hash, sequence],
    );
    last = { hash };
  }
  await session.execute(`update probity_evidence_records set content = 'Every test passed.'`, []);
  await session.execute(`update probity_evidence_heads set hash = '${last?.hash}'`, []);
}
