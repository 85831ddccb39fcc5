import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { contextOf, createProbity } from '@probity/core';
import { temporaryFolder } from '@probity/test-support';
import { governance } from '../src/index.ts';

const encryptionKey = Buffer.alloc(32, 1).toString('base64');
const authenticate = () => ({ organizationId: 'acme', memberId: 'ann', role: 'editor' }) as const;
const context = contextOf({ organizationId: 'acme', memberId: 'ann' });
const CONTENT = { response: 'Write to bob@example.com.' };

for (const kind of ['memory', 'sqlite']) {
  test(`the encryption key of an application with governance() alone holds on ${kind}`, async (t) => {
    const database =
      kind === 'memory' ? 'memory' : `sqlite:${join(temporaryFolder(t).path, 'app.db')}`;
    const capabilities = [governance()] as const;
    const probity = createProbity({ database, authenticate, capabilities, encryptionKey });
    t.after(() => probity.stop());
    await probity.migrate();
    const { governance: services } = probity.services;
    assert.equal((await services.batches.submit(context, { items: [CONTENT] })).total, 1);
    await services.protectedTexts.create(context, { name: 'Price list', text: 'Fourteen euros.' });
    await services.scan(context, { ...CONTENT, redaction: 'token' });
  });
}

test('an application with governance() alone and no key is told what needs one', async (t) => {
  const former = process.env.PROBITY_ENCRYPTION_KEY;
  delete process.env.PROBITY_ENCRYPTION_KEY;
  t.after(() => {
    if (former !== undefined) process.env.PROBITY_ENCRYPTION_KEY = former;
  });
  const capabilities = [governance()] as const;
  const probity = createProbity({ database: 'memory', authenticate, capabilities });
  t.after(() => probity.stop());
  await probity.migrate();
  await assert.rejects(
    probity.services.governance.batches.submit(context, { items: [CONTENT] }),
    /items: cannot be kept without an encryption key: set PROBITY_ENCRYPTION_KEY/,
  );
});
