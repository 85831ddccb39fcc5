import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import { redactSecrets } from '@probity/core/internal';
import { createTestClock } from '@probity/test-support';
import { SignJWT } from 'jose';
import { createSessionTokens, parseRefreshToken } from '../../src/sign-in/session-tokens.ts';

const session = { id: 'ses_1', organizationId: 'org_1', memberId: 'mem_1' };
const claims = { sessionId: 'ses_1', organizationId: 'org_1', memberId: 'mem_1' };
const [KEY, OTHER_KEY] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

function tokensOf(...keys: Uint8Array[]) {
  const clock = createTestClock();
  const secretBox = createSecretBox(keys);
  const tokens = createSessionTokens({ secretBox, clock, random: systemRandom });
  return { clock, secretBox, tokens };
}

test('an access token identifies its session and member and expires after fifteen minutes', async () => {
  const { clock, tokens } = tokensOf(KEY);
  const token = await tokens.issueAccess(session);
  assert.deepEqual(await tokens.readAccess(token), claims);
  await clock.advance(899_000);
  assert.deepEqual(await tokens.readAccess(token), claims);
  await clock.advance(1_000);
  assert.equal(await tokens.readAccess(token), null);
  assert.deepEqual(await tokens.readAccess(token, true), claims);
});

test('access tokens are signed by the first configured key and verified by all configured keys only', async () => {
  const former = await tokensOf(OTHER_KEY).tokens.issueAccess(session);
  const { tokens } = tokensOf(KEY, OTHER_KEY);
  assert.deepEqual(await tokens.readAccess(former), claims);
  assert.deepEqual(
    await tokensOf(KEY).tokens.readAccess(await tokens.issueAccess(session)),
    claims,
  );
  assert.equal(await tokensOf(KEY).tokens.readAccess(former), null);
});

test('an access token without signature, or of another algorithm, audience or content is refused', async () => {
  const { clock, secretBox, tokens } = tokensOf(KEY);
  const derived = secretBox.deriveKeys('access token')[0];
  assert.ok(derived);
  const now = Math.floor(clock.now().getTime() / 1_000);
  const sign = (
    alg = 'HS256',
    { aud = 'probity-api', iss = 'probity', sub = 'mem_1', exp = now + 60 } = {},
    kid = derived.id,
    content: Record<string, unknown> = { sid: 'ses_1', org: 'org_1' },
  ) =>
    new SignJWT({ ...content, aud, iss, sub, exp })
      .setProtectedHeader({ alg, kid })
      .sign(
        createSecretKey(Buffer.concat([derived.key, ...(alg === 'HS512' ? [derived.key] : [])])),
      );
  assert.deepEqual(await tokens.readAccess(await sign()), claims);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = (await sign()).split('.')[1];
  const bad = {
    'no algorithm': `${encode({ alg: 'none', kid: derived.id })}.${body}.`,
    'another algorithm': await sign('HS512'),
    'another audience': await sign('HS256', { aud: 'other' }),
    'another issuer': await sign('HS256', { iss: 'other' }),
    'an unknown key': await sign('HS256', {}, 'ffffffff'),
    'no session': await sign('HS256', {}, derived.id, { org: 'org_1' }),
    'a changed signature': `${(await sign()).slice(0, -4)}AAAA`,
    'another spelling of the signature': `${await sign()}=`,
    'a session that is no text': await sign('HS256', {}, derived.id, { org: 'org_1', sid: ['a'] }),
    'no token at all': 'x',
    nothing: '',
  };
  for (const [name, token] of Object.entries(bad)) {
    assert.equal(await tokens.readAccess(token), null, name);
    assert.equal(await tokens.readAccess(token, true), null, name);
  }
});

test('refresh tokens of one session share a family that is unique to it', () => {
  const { tokens } = tokensOf(KEY);
  const first = tokens.issueRefresh();
  const next = tokens.issueRefresh(first.token);
  assert.match(first.token, /^prt_[0-9A-Za-z]{64}$/);
  assert.equal(next.familyHash, first.familyHash);
  assert.notEqual(next.refreshHash, first.refreshHash);
  assert.notEqual(tokens.issueRefresh().familyHash, first.familyHash);
  assert.deepEqual(parseRefreshToken(next.token), next);
  for (const text of ['', 'prt_', `${next.token}x`, next.token.slice(1)])
    assert.equal(parseRefreshToken(text), null);
});

test("a session's CSRF token does not change with the encryption key, its secret does", () => {
  const { tokens } = tokensOf(KEY);
  const first = { id: 'ses_1', familyHash: 'a' };
  const proof = tokens.proofOf(first);
  assert.deepEqual(tokensOf(KEY).tokens.proofOf(first), proof);
  const rotated = tokensOf(OTHER_KEY, KEY).tokens.proofOf(first);
  assert.equal(rotated.csrfToken, proof.csrfToken);
  assert.notEqual(rotated.secret, proof.secret);
  const other = tokens.proofOf({ id: 'ses_2', familyHash: 'b' });
  const texts = [proof, other].flatMap(({ csrfToken, secret }) => [csrfToken, secret]);
  assert.equal(new Set(texts).size, 4);
});

test('session tokens are redacted in logs', async () => {
  const { tokens } = tokensOf(KEY);
  const access = await tokens.issueAccess(session);
  const { token } = tokens.issueRefresh();
  const line = redactSecrets(`cookie ${access}; ${token}`);
  assert.equal(line.includes(access.slice(10, 30)) || line.includes(token.slice(8, 30)), false);
});
