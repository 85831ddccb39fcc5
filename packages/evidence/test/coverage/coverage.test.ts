import assert from 'node:assert/strict';
import test from 'node:test';
import { createCoverage } from '../../src/coverage/coverage.ts';
import type { EvidenceGroup, EvidenceStorage } from '../../src/index.ts';
import { createWorld } from '../world.ts';

test('the coverage of an AI system counts no records of others', async (t) => {
  const world = await createWorld(t);
  const { id: aiSystemId } = await world.services.aiSystems.create(world.context, { name: 'A' });
  await world.append({ aiSystemId }, {}, {});
  const counted: EvidenceGroup[] = [];
  const storage: EvidenceStorage = {
    ...world.storage,
    async groupEvidence(...asked) {
      const groups = await world.storage.groupEvidence(...asked);
      counted.push(...groups);
      return groups;
    },
  };
  const coverage = createCoverage(world.runtime, { storage });
  const page = { limit: 50, offset: 0 };
  const { items } = await coverage.list(world.context, { aiSystemId }, page);
  assert.deepEqual([items.length, items[0]?.aiSystem?.id], [1, aiSystemId]);
  assert.deepEqual(
    counted.map((group) => [group.aiSystemId, group.count]),
    [[aiSystemId, 1]],
  );
});
