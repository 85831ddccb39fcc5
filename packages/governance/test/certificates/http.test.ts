import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import type { TestLifetime } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { CERTIFICATE_TYPE } from '../../src/index.ts';
import type { Api } from '../api.ts';
import { createApi } from '../api.ts';
import { createTestKnowledge } from '../verification/knowledge.ts';
import type { WorldOptions } from '../world.ts';
import { TRUST_URL, targets } from '../world.ts';

const FIRST = 'Refunds take 30 days – 5 € at most.';
const SECOND = 'Support answers within two days.';
const CONTENT = `${FIRST}\n${SECOND}`;
const DAY_MS = 86_400_000;

const open = (t: TestLifetime, options: WorldOptions = {}) =>
  createApi(t, {
    knowledge: createTestKnowledge(FIRST, SECOND),
    secretBox: createSecretBox([systemRandom(32)]),
    ...options,
  });

const certify = (api: Pick<Api, 'request'>, body: object = {}, token?: string) =>
  api.request('POST', '/shield/verify', { content: CONTENT, certify: true, ...body }, token);

const revoke = (api: Pick<Api, 'request'>, id: string, body: unknown, token?: string) =>
  api.request('POST', `/shield/certificates/${id}/revoke`, body, token);

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a text whose claims are all supported is certified, and the certificate is verified offline`, async (t) => {
    const api = await open(t, { target });
    const { status, body } = await certify(api, { expiresInDays: 30 });
    assert.equal(status, 200);
    assert.equal(body.data.verdict, 'verified');
    assert.equal('certificateRefusal' in body.data, false);
    const { id, jws, keyId, ...others } = body.data.certificate;
    assert.match(id, /^crt_/);
    const organizationId = api.context.principal.organizationId;
    const nuggets = [
      { id: 'nug_0', version: 1 },
      { id: 'nug_1', version: 2 },
    ];
    assert.deepEqual(others, {
      ...{ state: 'valid', organizationId, contentHash: hashOf(CONTENT), algorithm: 'sha-256' },
      ...{ issuedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-31T00:00:00.000Z' },
      ...{ revokedAt: null, revocationReason: null, nuggets },
      url: `${TRUST_URL}/api/v1/trust/certificates/${id}`,
      pageUrl: `${TRUST_URL}/certificates/${id}`,
    });
    const keys = await api.shield?.certificates.keySet();
    const { payload, protectedHeader } = await jwtVerify(jws, createLocalJWKSet(keys as never), {
      ...{ issuer: TRUST_URL, typ: CERTIFICATE_TYPE, algorithms: ['EdDSA'] },
      currentDate: api.clock.now(),
    });
    assert.equal(protectedHeader.kid, keyId);
    const seconds = Date.parse('2026-01-01T00:00:00Z') / 1_000;
    assert.deepEqual(payload, {
      ...{ iss: TRUST_URL, jti: id, iat: seconds, exp: seconds + 30 * 86_400 },
      ...{ organization_id: organizationId, content_hash: hashOf(CONTENT) },
      ...{ content_hash_algorithm: 'sha-256', nuggets },
    });
    const events = await api.events();
    assert.deepEqual(
      events.map(({ type, data }) => ({ type, data })),
      [
        {
          type: 'certification.issued',
          data: {
            ...{ certificationId: id, contentHash: hashOf(CONTENT) },
            ...{ issuedAt: others.issuedAt, expiresAt: others.expiresAt },
          },
        },
      ],
    );
  });

  test(`${target.name}: of many who revoke a certificate one does, with an event and an audit entry`, async (t) => {
    const api = await open(t, { target });
    const { id } = (await certify(api)).body.data.certificate;
    await api.clock.advance(1_000);
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((reason) => revoke(api, id, { reason })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
    const revoked = answers.find(({ status }) => status === 200)?.body.data;
    assert.deepEqual([revoked.state, revoked.revokedAt], ['revoked', '2026-01-01T00:00:01.000Z']);
    const events = (await api.events()).filter(({ type }) => type === 'certification.revoked');
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ certificationId: id, reason: revoked.revocationReason }],
    );
    const { database } = api.opened;
    const reads = (database as typeof api.runtime.database).kernel(api.runtime.database.reader);
    const { organizationId } = api.context.principal;
    const entries = await reads.listAuditEntries(organizationId, {}, { limit: 9, offset: 0 });
    assert.deepEqual(
      entries.items.map(({ action, target: { type, id: named } }) => [action, type, named]),
      [
        ['certificate.revoked', 'certificate', id],
        ['certificate.issued', 'certificate', id],
      ],
    );
    assert.ok(!JSON.stringify(entries.items).includes('Refunds'));
    const again = await revoke(api, id, { reason: 'again' });
    assert.deepEqual([again.status, again.body.error.code], [409, 'CONFLICT']);
  });

  test(`${target.name}: certificates are listed by the state that they have at present`, async (t) => {
    const api = await open(t, { target });
    const ids: string[] = [];
    for (const expiresInDays of [1, 30, 60]) {
      ids.push((await certify(api, { expiresInDays })).body.data.certificate.id);
    }
    await revoke(api, ids[2] as string, { reason: 'corrected' });
    await api.clock.advance(2 * DAY_MS);
    const idsOf = async (state: string) => {
      const { body } = await api.request('GET', `/shield/certificates?state=${state}`);
      assert.ok(body.data.every((each: { state: string }) => each.state === state));
      return body.data.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(
      [await idsOf('expired'), await idsOf('valid'), await idsOf('revoked')],
      ids.map((id) => [id]),
    );
    const wrong = await api.request('GET', '/shield/certificates?state=old');
    assert.deepEqual([wrong.status, wrong.body.error.details[0].field], [422, 'state']);
  });

  test(`${target.name}: after a rotation of the signing key former certificates verify until the last has expired`, async (t) => {
    const secretBox = createSecretBox([systemRandom(32)]);
    const api = await open(t, { target, secretBox });
    const first = (await certify(api, { expiresInDays: 10 })).body.data.certificate;
    const rotation = await api.shield?.signingKeys.rotate(secretBox);
    assert.equal(rotation?.retiredKeyId, first.keyId);
    const second = (await certify(api, { expiresInDays: 40 })).body.data.certificate;
    assert.equal(second.keyId, rotation?.keyId);
    const published = async () => (await api.shield?.certificates.keySet())?.keys ?? [];
    const keys = createLocalJWKSet({ keys: [...(await published())] } as never);
    for (const { jws } of [first, second]) {
      await jwtVerify(jws, keys, { currentDate: api.clock.now() });
    }
    await api.clock.advance(10 * DAY_MS);
    assert.deepEqual(
      (await published()).map(({ kid }) => kid),
      [second.keyId],
    );
    const { body } = await api.request('GET', `/trust/certificates/${first.id}`, undefined, '');
    assert.equal(body.data.state, 'expired');
  });
}

test('instances that start together sign with one key', async (t) => {
  const api = await open(t);
  const answers = await Promise.all(Array.from({ length: 8 }, () => certify(api)));
  const keys = new Set(answers.map(({ body }) => body.data.certificate.keyId));
  assert.equal(keys.size, 1);
  assert.equal((await api.shield?.certificates.keySet())?.keys.length, 1);
});

test('the public answer has the certificate and its state, and nothing of the content or why it was revoked', async (t) => {
  const api = await open(t);
  const { certificate } = (await certify(api)).body.data;
  const { id } = certificate;
  const publicly = () => api.request('GET', `/trust/certificates/${id}`, undefined, '');
  const valid = await publicly();
  const { revocationReason: _, nuggets: __, url: ___, pageUrl: ____, ...shown } = certificate;
  assert.deepEqual([valid.status, valid.body], [200, { data: shown }]);
  assert.equal(valid.headers.get('cache-control'), 'no-cache');
  await revoke(api, id, { reason: 'The secret plan changed.' });
  const revoked = await publicly();
  assert.equal(revoked.body.data.state, 'revoked');
  assert.notEqual(revoked.headers.get('etag'), valid.headers.get('etag'));
  assert.ok(!JSON.stringify(revoked.body).includes('secret plan'));
  const unknown = await api.request('GET', '/trust/certificates/crt_none', undefined, '');
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
});

test('a certificate shows which of its nuggets were changed or deleted, and is found by each', async (t) => {
  const knowledge = createTestKnowledge(FIRST, SECOND);
  const api = await open(t, { knowledge });
  const { id } = (await certify(api)).body.data.certificate;
  const states = async () => {
    const { body } = await api.request('GET', `/shield/certificates/${id}`);
    return body.data.nuggets.map(({ state }: { state: string }) => state);
  };
  assert.deepEqual(await states(), ['current', 'current']);
  knowledge.nuggets.set(FIRST, 9);
  knowledge.nuggets.delete(SECOND);
  assert.deepEqual(await states(), ['changed', 'deleted']);
  const list = async (query: string, token?: string) => {
    const answer = await api.request('GET', `/shield/certificates${query}`, undefined, token);
    assert.equal(answer.status, 200, query);
    return answer.body.data.map((each: { id: string }) => each.id);
  };
  assert.deepEqual(await list('?nuggetId=nug_1', 'viewer'), [id]);
  assert.deepEqual(await list(`?contentHash=${hashOf(CONTENT)}`), [id]);
  assert.deepEqual(await list(`?contentHash=${hashOf(FIRST)}`), []);
  assert.deepEqual(await list('?nuggetId=nug_2'), []);
  assert.deepEqual(await list('', 'stranger'), []);
});

test('a certificate of another organization is 404, and roles below editor neither issue nor revoke', async (t) => {
  const api = await open(t);
  const { id } = (await certify(api)).body.data.certificate;
  const path = `/shield/certificates/${id}`;
  assert.equal((await api.request('GET', path, undefined, 'stranger')).status, 404);
  assert.equal((await revoke(api, id, { reason: 'mine' }, 'stranger')).status, 404);
  assert.equal((await revoke(api, id, { reason: 'mine' }, 'member')).status, 403);
  assert.equal((await certify(api, {}, 'member')).status, 403);
  assert.equal((await certify(api, { certify: false }, 'member')).status, 200);
  assert.equal((await certify(api, { certify: false }, 'viewer')).status, 403);
  assert.equal((await api.request('GET', path)).body.data.state, 'valid');
});

for (const [body, fields] of [
  [{}, ['content']],
  [{ content: '' }, ['content']],
  [{ content: 7, certify: 'yes', expiresInDays: 0 }, ['content', 'certify', 'expiresInDays']],
  [{ content: 'x', certify: true, expiresInDays: 3_651 }, ['expiresInDays']],
  [{ content: 'x', expiresInDays: 1.5 }, ['expiresInDays']],
  [{ content: 'x', draft: true }, ['draft']],
] as const) {
  test(`POST /shield/verify with ${JSON.stringify(body)} is 422 naming ${fields}`, async (t) => {
    const { request } = await open(t);
    const answer = await request('POST', '/shield/verify', body);
    assert.equal(answer.status, 422);
    const named = answer.body.error.details.map(({ field }: { field: string }) => field);
    assert.deepEqual(named.sort(), [...fields].sort());
  });
}

for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 7 }]) {
  test(`a revocation with ${JSON.stringify(body).slice(0, 40)} is 422 naming reason`, async (t) => {
    const api = await open(t);
    const { id } = (await certify(api)).body.data.certificate;
    const answer = await revoke(api, id, body);
    assert.equal(answer.status, 422);
    assert.equal(answer.body.error.details[0].field, 'reason');
  });
}
