import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createAuditRecorder } from '../../src/audit/recorder.ts';
import type { NewAuditEntry } from '../../src/audit/types.ts';
import { createIds } from '../../src/ids.ts';
import { testContext } from '../../src/testing/fixtures.ts';

function collect() {
  const entries: NewAuditEntry[] = [];
  const clock = createTestClock();
  const audit = createAuditRecorder({ ids: createIds(clock), clock });
  const recordAudit = async (entry: NewAuditEntry) => void entries.push(entry);
  return { entries, clock, audit, tx: { recordAudit } };
}

test('an audit entry of a call names the member, the credential, the address and the request', async () => {
  const { entries, clock, audit, tx } = collect();
  const context = testContext({ organizationId: 'org_1', memberId: 'mem_1' });
  const after = { name: 'x', secret: 'p' };
  await audit.record(tx, context, 'thing.created', { type: 'thing', id: 't1' }, { after });
  const [{ id, ...entry }] = entries as [NewAuditEntry];
  assert.match(id, /^aud_/);
  assert.deepEqual(entry, {
    organizationId: 'org_1',
    actor: { type: 'member', id: 'mem_1', credentialId: 'key_test' },
    address: context.address,
    requestId: context.requestId,
    action: 'thing.created',
    target: { type: 'thing', id: 't1' },
    before: null,
    after: { name: 'x', secret: '***' },
    createdAt: clock.now(),
  });
});

test('an audit entry of the system names the part of the program, without address and request', async () => {
  const { entries, audit, tx } = collect();
  const by = { organizationId: 'org_1', system: 'worker' };
  const before = { token: 'p', active: true };
  await audit.record(tx, by, 'thing.disabled', { type: 'thing', id: 't1' }, { before });
  const [entry] = entries as [NewAuditEntry];
  assert.deepEqual(entry.actor, { type: 'system', id: 'worker', credentialId: null });
  assert.deepEqual([entry.address, entry.requestId, entry.after], [null, null, null]);
  assert.deepEqual(entry.before, { token: '***', active: true });
});

test('an audit entry of the system names the request that caused it', async () => {
  const { entries, audit, tx } = collect();
  const request = { requestId: 'req_1', address: '192.0.2.7' };
  const by = { organizationId: 'org_1', system: 'sign-in', request };
  await audit.record(tx, by, 'thing.locked', { type: 'thing', id: 't1' });
  const [entry] = entries as [NewAuditEntry];
  assert.deepEqual(entry.actor, { type: 'system', id: 'sign-in', credentialId: null });
  assert.deepEqual([entry.address, entry.requestId], ['192.0.2.7', 'req_1']);
});

test("an audit entry of an unauthenticated member names the token's resource", async () => {
  const { entries, audit, tx } = collect();
  const request = { requestId: 'req_1', address: null };
  const by = { organizationId: 'org_1', memberId: 'mem_1', credentialId: 'inv_1', request };
  await audit.record(tx, by, 'thing.accepted', { type: 'thing', id: 't1' });
  const [entry] = entries as [NewAuditEntry];
  assert.deepEqual(entry.actor, { type: 'member', id: 'mem_1', credentialId: 'inv_1' });
  assert.deepEqual(
    [entry.organizationId, entry.address, entry.requestId],
    ['org_1', null, 'req_1'],
  );
});
