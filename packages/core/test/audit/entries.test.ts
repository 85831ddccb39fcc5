import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFields } from '../../src/audit/entries.ts';
import { maskSecrets } from '../../src/audit/masking.ts';

test('audit fields with the name of a secret are masked at any depth', () => {
  const fields = {
    name: 'x',
    password: 'p',
    client_secret: { nested: 'p' },
    settings: { Authorization: 'Bearer p', list: [{ accessToken: 'p', port: 1 }] },
    tokenHash: 'p',
    api_key: 'p',
    privateKey: 'p',
    otp: 123456,
    prefix: 'pbk_abcdefgh',
    expires_at: new Date(0),
  };
  assert.deepEqual(maskSecrets(fields), {
    name: 'x',
    password: '***',
    client_secret: '***',
    settings: { Authorization: '***', list: [{ accessToken: '***', port: 1 }] },
    tokenHash: '***',
    api_key: '***',
    privateKey: '***',
    otp: '***',
    prefix: 'pbk_abcdefgh',
    expires_at: '1970-01-01T00:00:00.000Z',
  });
});

test('a secret that is not set is not masked in the audit log', () => {
  assert.deepEqual(maskSecrets({ password: null }), { password: null });
  assert.equal(maskSecrets(null), null);
});

test('the changed fields of an update are those whose values differ', () => {
  const before = { name: 'a', tags: ['x'], size: 1, gone: true };
  const after = { name: 'b', tags: ['x'], size: 1, added: { n: 1 } };
  assert.deepEqual(changedFields(before, after), {
    before: { name: 'a', added: null },
    after: { name: 'b', added: { n: 1 } },
  });
});
