import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import { createApi } from '../api.ts';
import { createTestKnowledge } from './knowledge.ts';

const FACT = 'Refunds take 30 days.';
const secretBox = createSecretBox([systemRandom(32)]);

test('POST /shield/verify answers with every claim, its place and the nuggets, and stores nothing', async (t) => {
  const api = await createApi(t, { knowledge: createTestKnowledge(FACT), secretBox });
  const content = `${FACT}\nNOT ${FACT}\n„Ganz anders“ 🏔`;
  const { status, body } = await api.request('POST', '/shield/verify', { content });
  const nuggets = [
    { id: 'nug_0', claim: FACT, source_url: 'https://facts.example/', similarity: 0.9 },
  ];
  assert.deepEqual(
    [status, body],
    [
      200,
      {
        data: {
          verdict: 'contradicted',
          claims: [
            { text: FACT, start: 0, end: 21, status: 'supported', similarity: 0.9, nuggets },
            {
              ...{ text: `NOT ${FACT}`, start: 22, end: 47 },
              ...{ status: 'contradicted', similarity: 0.9, nuggets },
            },
            {
              ...{ text: '„Ganz anders“ 🏔', start: 48, end: 64 },
              ...{ status: 'unknown', similarity: 0, nuggets: [] },
            },
          ],
        },
      },
    ],
  );
  for (const { text, start, end } of body.data.claims) {
    assert.equal(content.slice(start, end), text);
  }
  assert.deepEqual(await api.events(), []);
});

const refusals = [
  ['a contradicted claim', `${FACT}\nNOT ${FACT}`, 'not_verified', [1]],
  ['an unknown claim', `${FACT}\nSomething else.`, 'not_verified', [1]],
  ['no claim', '[nothing]', 'not_verified', []],
  ['words outside of its claims', `${FACT}\n[Never!]`, 'unread_text', []],
  ['a picture outside of its claims', `[❌]\n${FACT}`, 'unread_text', []],
  ['marks of struck text outside of its claims', `[~~]\n${FACT}`, 'unread_text', []],
  ['a claim in free wording', `${FACT}\nabout ${FACT}`, 'free_wording', [1]],
] as const;
for (const [name, content, reason, claims] of refusals) {
  test(`a text with ${name} is not certified, and the answer says why`, async (t) => {
    const api = await createApi(t, { knowledge: createTestKnowledge(FACT), secretBox });
    const { status, body } = await api.request('POST', '/shield/verify', {
      content,
      certify: true,
    });
    assert.equal(status, 200);
    assert.equal('certificate' in body.data, false);
    const { message, ...refusal } = body.data.certificateRefusal;
    assert.deepEqual(refusal, { reason, claims });
    assert.match(message, /\.$/);
    assert.equal((await api.request('GET', '/shield/certificates')).body.total, 0);
    assert.deepEqual(await api.events(), []);
  });
}

test('punctuation and white space outside of the claims do not prevent a certificate', async (t) => {
  const api = await createApi(t, { knowledge: createTestKnowledge(FACT), secretBox });
  const content = `[ – ]\n\n${FACT}\n[…]\n`;
  const { body } = await api.request('POST', '/shield/verify', { content, certify: true });
  assert.equal(body.data.certificate.state, 'valid');
});

test('certify without an encryption key is refused by name; texts are verified all the same', async (t) => {
  const api = await createApi(t, { knowledge: createTestKnowledge(FACT) });
  const refused = await api.request('POST', '/shield/verify', { content: FACT, certify: true });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.error.details[0].field, 'certify');
  const verified = await api.request('POST', '/shield/verify', { content: FACT });
  assert.equal(verified.body.data.verdict, 'verified');
});

test('a lone surrogate, which has no UTF-8 to hash, is refused', async (t) => {
  const { shield, context } = await createApi(t, {
    knowledge: createTestKnowledge(FACT),
    secretBox,
  });
  const verifying = shield?.verifications.verify(context, { content: 'a\ud800' });
  await assert.rejects(verifying ?? Promise.resolve(), /content|invalid/);
});
