import assert from 'node:assert/strict';
import test from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { nextHead } from '../../src/chain/seal.ts';
import { sqlTargets } from '../world.ts';
import { faultOf, furnish, tamper } from './tampered.ts';

for (const target of sqlTargets) {
  test(`${target.name}: a record, a label or a run at a place without a node of a record is found`, async (t) => {
    const copy = (sequence: number) => `insert into probity_evidence_records
      select '01940000-0000-7000-8000-00000000000f', organization_id, ${sequence}, evidence_type, source,
        'Every test passed', content, metadata, ai_system_id, labels, link_set, occurred_at,
        created_at, salt, null from probity_evidence_records where sequence = 6`;
    const label = (sequence: number) => `insert into probity_evidence_labels
      select organization_id, 'team', 'a', ${sequence} from probity_evidence_heads`;
    const run = (sequence: number) => `insert into probity_evidence_runs
      select organization_id, ${sequence}, 'desk', 1, 100, 0, 0, '' from probity_evidence_heads`;
    // Of five records and an amendment at the fifth place.
    for (const insert of [copy, label, run]) {
      for (const [sequence, at] of [
        [-4, 1],
        [0, 1],
        [5, 5],
        [7, 7],
        [1_000, 1_000],
      ] as const) {
        const world = await furnish(t, target);
        await tamper(world, async (session) => {
          await session.execute(insert(sequence), []);
        });
        assert.deepEqual(await faultOf(world), [at, 'added'], `${insert(sequence)}`);
      }
    }
  });

  test(`${target.name}: a record at the place of one that retention removed is found`, async (t) => {
    const world = await furnish(t, target);
    const head = await world.storage.findEvidenceHead(world.organizationId);
    assert.ok(head);
    await world.storage.withTenantLock(OUTSIDE_REQUEST, world.organizationId, (tx) =>
      tx.removeEvidence(nextHead(world.runtime.secretBox, head, { ...head, removedThrough: 2 })),
    );
    assert.equal(await faultOf(world), null);
    await tamper(world, async (session) => {
      await session.execute(
        `insert into probity_evidence_records
          select '01940000-0000-7000-8000-00000000000f', organization_id, 2, evidence_type, source, title,
            content, metadata, ai_system_id, labels, link_set, occurred_at, created_at, salt, null
          from probity_evidence_records where sequence = 6`,
        [],
      );
    });
    assert.deepEqual(await faultOf(world), [2, 'added']);
  });
}
