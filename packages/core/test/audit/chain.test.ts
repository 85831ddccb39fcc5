import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainEntry } from '../../src/audit/chain.ts';
import { newAuditEntry } from '../../src/testing/records.ts';

test('the hash format of stored audit entries never changes', () => {
  const entry = newAuditEntry('org_1', { id: 'aud_1', after: { größe: 2 }, requestId: 'req_1' });
  const chained = chainEntry(entry, { sequence: 7, previousHash: 'a'.repeat(64) });
  assert.equal(chained.hash, '9b3817614ace7ee35ea5e550bc4179e580e99bc6316a642da1116e466e78b5ac');
  assert.deepEqual([chained.sequence, chained.previousHash], [7, 'a'.repeat(64)]);
});
