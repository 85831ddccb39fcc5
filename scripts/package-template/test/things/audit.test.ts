import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbityError, verifyAuditChain } from '@probity/core';
import { createWorld, targets } from '../world.ts';

for (const target of targets) {
  test(`${target.name}: the audit log records each change of a ~thing~ with its fields before and after`, async (t) => {
    const { things, context, database, organizationId } = await createWorld(t, target);
    const { id } = await things.create(context, { name: 'First' });
    await things.update(context, id, { name: 'Second' });
    await things.update(context, id, { name: 'Second' });
    await things.remove(context, id);
    await assert.rejects(things.remove(context, id), ProbityError);
    const reads = database.kernel(database.reader);
    const entries = await reads.readAuditChain(organizationId, 0, 100);
    assert.deepEqual(
      entries.map(({ action, before, after }) => [action, before, after]),
      [
        ['__thing__.created', null, { name: 'First' }],
        ['__thing__.updated', { name: 'First' }, { name: 'Second' }],
        ['__thing__.deleted', { name: 'Second' }, null],
      ],
    );
    assert.ok(entries.every((entry) => entry.target.id === id));
    assert.equal((await verifyAuditChain(database, organizationId)).fault, null);
  });
}
