import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { CONTRADICTED_FACTS } from './contradicted-facts.ts';
import type { EmptyDatabase, RunningServer } from './support.ts';
import { bootstrap, call, emptyDatabases, run, serve } from './support.ts';

async function createWorld(t: TestLifetime, database: EmptyDatabase, facts: readonly string[]) {
  const location = await database.create(t);
  const { api_key: key } = await bootstrap(location);
  const server = await serve(t, location);
  const send = (path: string, body?: unknown, method = 'POST') =>
    call(`${server.url}/api/v1${path}`, key, method, body);
  const rows = facts.map((claim) => ({ claim, source_url: 'https://facts.example/' }));
  if (rows.length > 0) assert.equal((await send('/knowledge/nuggets/import', rows)).status, 201);
  const verify = async (content: string, options: object = { certify: true }) => {
    const { status, body } = await send('/shield/verify', { content, ...options });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  return { ...server, location, key, send, verify };
}

const FACT = 'Refunds are possible within 30 days after the purchase.';

for (const database of sampleTargets(emptyDatabases)) {
  describe(`${database.name}: certificates`, () => {
    it(`of 100 texts that contradict the knowledge base none is certified on ${database.name}, and the facts themselves are`, async (t) => {
      const facts = CONTRADICTED_FACTS.map(({ fact }) => fact);
      const { verify, send } = await createWorld(t, database, facts);
      const texts = CONTRADICTED_FACTS.flatMap(({ contradictions }) => contradictions);
      assert.equal(new Set(texts).size, 100);
      const certified: string[] = [];
      for (const [at, text] of texts.entries()) {
        // Some of them between sentences that are true.
        const content = at % 4 === 0 ? `${facts[0]} ${text} ${facts[1]}` : text;
        if ((await verify(content)).certificate) certified.push(content);
      }
      assert.deepEqual(certified, []);
      assert.equal((await send('/shield/certificates', undefined, 'GET')).body.total, 0);
      for (const fact of facts)
        assert.equal((await verify(fact)).certificate?.state, 'valid', fact);
    });

    it(`a certificate of a server on ${database.name} is verified with its key set, also after both keys were rotated`, async (t) => {
      const world = await createWorld(t, database, [FACT]);
      const { url, verify, location } = world;
      const first = (await verify(FACT)).certificate;
      const present = Buffer.alloc(32, 7).toString('base64');
      const [made, both] = [Buffer.alloc(32, 8).toString('base64'), {} as Record<string, string>];
      both.PROBITY_ENCRYPTION_KEY = `${made},${present}`;
      await command(t, ['keys', 'rotate-signing', '--database', location]);
      const second = (await verify(FACT)).certificate;
      assert.notEqual(second.keyId, first.keyId);
      await world.program.terminate();
      const rotated = await command(t, ['keys', 'rotate', '--database', location], both);
      assert.equal(rotated.resealed.signing_keys, 1);
      const env = { PROBITY_ENCRYPTION_KEY: made };
      const again: RunningServer = await serve(t, location, { env });
      const body = { content: FACT, certify: true };
      const answer = await call(`${again.url}/api/v1/shield/verify`, world.key, 'POST', body);
      const third = answer.body.data.certificate;
      assert.equal(third.keyId, second.keyId);
      const keys = createRemoteJWKSet(new URL(`${again.url}/.well-known/jwks.json`));
      for (const [issuer, { jws }] of [
        [url, first],
        [url, second],
        [again.url, third],
      ] as const) {
        const { payload } = await jwtVerify(jws, keys, { issuer, algorithms: ['EdDSA'] });
        assert.equal(payload.content_hash, createHash('sha256').update(FACT).digest('hex'));
      }
    });
  });
}

async function command(t: TestLifetime, args: readonly string[], env: Record<string, string> = {}) {
  const program = run(t, args, env);
  assert.equal(await program.exited, 0, program.stderr);
  return JSON.parse(program.stdout);
}

const [sqlite] = emptyDatabases as [EmptyDatabase];

it('texts that hide what they say, and languages that are not covered, are not certified', async (t) => {
  const others = [
    'Die Rückgabe ist innerhalb von 30 Tagen nach dem Kauf möglich.',
    'Возврат возможен в течение 30 дней после покупки.',
    '退款可在购买后30天内办理。',
    'Les remboursements sont possibles dans les 30 jours suivant l’achat.',
    'يمكن استرداد الأموال خلال 30 يومًا بعد الشراء.',
  ];
  const { verify } = await createWorld(t, sqlite, [FACT, ...others]);
  for (const text of others) {
    const { verdict, claims, certificate } = await verify(text);
    assert.deepEqual(
      [
        verdict,
        certificate,
        claims.every(({ status }: { status: string }) => status === 'unknown'),
      ],
      ['unverified', undefined, true],
      text,
    );
  }
  const plain = FACT.slice(0, -1);
  for (const text of [
    `${FACT} 退款不可能。`,
    `${FACT} Never!`,
    `${FACT} Not true.`,
    `${FACT} 🚫`,
    `~~${FACT}~~`,
    `It is a myth that refunds are possible within 30 days after the purchase.`,
    `Nobody says that refunds are possible within 30 days after the purchase.`,
    `${plain}, says no one.`,
    `${plain} — not.`,
    `${plain}?`,
    `If it snows in July, refunds are possible within 30 days after the purchase.`,
    `Refunds are possible within З0 days after the purchase.`,
    `Refunds are possible within 30 days after the pur\u200bchase or 90.`,
    `Refunds are possible within 30\u202e09\u202c days after the purchase.`,
    `Refunds are hardly possible within 30 days after the purchase.`,
    `<s>${FACT}</s>`,
    `https://evil.example/ ${FACT}`,
    `${FACT} call +43 1 5555`,
    `"${plain}" is wrong.`,
    `Refunds are possible within 30 days before the purchase.`,
  ]) {
    assert.equal((await verify(text)).certificate, undefined, text);
  }
  assert.equal((await verify(`“${FACT}”\n\n- ${FACT}`)).certificate.state, 'valid');
});

it('long content is verified up to its limit, and refused by name beyond it', async (t) => {
  const { verify, send } = await createWorld(t, sqlite, [FACT]);
  const most = `${FACT} `.repeat(200).trim();
  assert.equal((await verify(most)).claims.length, 200);
  for (const content of [`${FACT} `.repeat(201), 'x'.repeat(20_001), ' ']) {
    const { status, body } = await send('/shield/verify', { content });
    assert.deepEqual([status, body.error.details[0].field], [422, 'content']);
  }
});

it('the page of a certificate shows its state without a script, and loads nothing from elsewhere', async (t) => {
  const { url, verify, send } = await createWorld(t, sqlite, [FACT]);
  const { certificate } = await verify(FACT);
  assert.equal(certificate.pageUrl, `${url}/certificates/${certificate.id}`);
  const page = await call(certificate.pageUrl, null);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(page.body, /class="state valid">Valid:/);
  assert.ok(page.body.includes(certificate.contentHash) && !page.body.includes('Refunds'));
  const loaded = [...page.body.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, to]) => to);
  assert.deepEqual(loaded, ['../certificate-page.js']);
  assert.equal((await call(new URL(loaded[0] ?? '', certificate.pageUrl).href, null)).status, 200);
  await send(`/shield/certificates/${certificate.id}/revoke`, { reason: 'An internal secret.' });
  const revoked = await call(certificate.pageUrl, null);
  assert.match(revoked.body, /class="state revoked">Revoked:/);
  assert.ok(!revoked.body.includes('internal secret'));
  assert.equal((await call(`${url}/certificates/crt_none`, null)).status, 404);
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const unknown = await fetch(`${url}/certificates/crt_none`, { headers });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(
    await unknown.text(),
    /class="state revoked">Unknown: this server has no certificate/,
  );
});
