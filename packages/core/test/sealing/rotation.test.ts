import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createSecretBox } from '../../src/crypto/secret-box.ts';
import { resealAll } from '../../src/sealing/rotation.ts';
import type { SealedValue } from '../../src/sealing/sealed-values.ts';

test('a rotation ends while servers with the former key keep sealing', async () => {
  const [before, after] = [randomBytes(32), randomBytes(32)];
  const former = createSecretBox([before]);
  const secretBox = createSecretBox([after, before]);
  const stored = new Map<string, string>();
  let isRetired = false;
  let last = 0;
  const seal = () => {
    const id = `val_${String(++last).padStart(6, '0')}`;
    stored.set(id, former.seal('text', id));
  };
  for (let count = 0; count < 25; count++) seal();
  const report = await resealAll({
    sealingKeys: {
      register: async () => undefined,
      list: async () => [former.keyId, secretBox.keyId],
      async retire() {
        isRetired = true;
      },
    } as never,
    ...{ secretBox, clock: createTestClock(), batchSize: 10 },
    values: [
      {
        name: 'values',
        purposeOf: (id) => id,
        async list(exceptKeyId, behind, limit): Promise<SealedValue[]> {
          assert.ok(last < 1_000, 'the rotation does not end');
          if (!isRetired) seal();
          return [...stored]
            .map(([id, sealed]) => ({ id, sealed }))
            .filter(({ id, sealed }) => id > behind && !sealed.includes(exceptKeyId))
            .slice(0, limit);
        },
        async replace(values) {
          for (const { id, to } of values) stored.set(id, to);
        },
      },
    ],
  });
  assert.deepEqual(report.retiredKeyIds, [former.keyId]);
  assert.equal(report.resealed.values, last);
  for (const [id, sealed] of stored) assert.ok(sealed.includes(secretBox.keyId), id);
});
