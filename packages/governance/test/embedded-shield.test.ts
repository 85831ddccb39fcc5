import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CapabilityDefinition } from '@probity/core';
import { contextOf, createProbity } from '@probity/core';
import { knowledge } from '@probity/knowledge';
import { temporaryFolder } from '@probity/test-support';
import type { GovernanceSettings } from '../src/index.ts';
import { governance } from '../src/index.ts';
import { createTestKnowledge } from './verification/knowledge.ts';

const CLAIM = 'Refunds are possible within 30 days after the purchase.';
const HOST = 'https://host.example';
const authenticate = () => ({ organizationId: 'acme', memberId: 'ann', role: 'editor' }) as const;
const context = contextOf({ organizationId: 'acme' });

const byOrder: ReadonlyArray<readonly [string, readonly CapabilityDefinition[]]> = [
  ['before', [governance({ certificates: {} }), knowledge()]],
  ['behind', [knowledge(), governance({ certificates: {} })]],
];
for (const [order, capabilities] of byOrder) {
  for (const kind of ['memory', 'sqlite']) {
    test(`an application with governance() ${order} knowledge() certifies texts on ${kind}, and serves certificates below its mount`, async (t) => {
      const database =
        kind === 'memory' ? 'memory' : `sqlite:${join(temporaryFolder(t).path, 'app.db')}`;
      const probity = createProbity({
        ...{ database, authenticate, capabilities, baseUrl: HOST },
        encryptionKey: Buffer.alloc(32, 1).toString('base64'),
      });
      t.after(() => probity.stop());
      await probity.migrate();
      const send = async (path: string, body?: object) => {
        const request = new Request(`${HOST}/probity${path}`, {
          ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
          headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
        });
        const response = await probity.fetch(request);
        const text = await response.text();
        assert.ok(response.ok, text);
        return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
      };
      await send('/knowledge/nuggets', { claim: CLAIM, source_url: 'https://acme.example/' });
      const { data } = await send('/shield/verify', { content: CLAIM, certify: true });
      const { id, url, pageUrl, keyId } = data.certificate;
      assert.equal(url, `${HOST}/probity/trust/certificates/${id}`);
      assert.equal(pageUrl, `${HOST}/probity/certificates/${id}`);
      assert.equal((await send(`/trust/certificates/${id}`)).data.state, 'valid');
      assert.match(await send(`/certificates/${id}`), /Valid:/);
      assert.equal((await send('/.well-known/jwks.json')).keys[0].kid, keyId);
    });
  }
}

test('an application verifies texts against a knowledge base of its own', async (t) => {
  const own = createTestKnowledge(CLAIM);
  const trustUrl = 'https://trust.example';
  const settings = { knowledge: own, certificates: { trustUrl: `${trustUrl}/` } };
  const capabilities = [governance(settings)] as const;
  const probity = createProbity({ database: 'memory', authenticate, capabilities });
  t.after(() => probity.stop());
  await probity.migrate();
  const { shield } = probity.services.governance;
  const request = { content: CLAIM, certify: true };
  const outcome = await shield?.verifications.verify(context, request);
  assert.equal(outcome?.verification.verdict, 'verified');
  const { id = '' } = outcome?.certificate ?? {};
  assert.equal(shield?.addresses.pageUrl(id), `${trustUrl}/certificates/${id}`);
  assert.deepEqual(own.verified, [CLAIM]);
});

test('an application without a knowledge base has no verification', async (t) => {
  const probity = createProbity({
    ...{ database: 'memory', authenticate, capabilities: [governance()] },
  });
  t.after(() => probity.stop());
  await probity.migrate();
  const url = `${HOST}/probity/shield/verify`;
  const response = await probity.fetch(new Request(url, { method: 'POST' }));
  assert.equal(response.status, 404);
});

test('certificates without a knowledge base are refused at the start', async () => {
  const capabilities = [governance({ certificates: {} })] as const;
  const probity = createProbity({ database: 'memory', authenticate, capabilities });
  await assert.rejects(probity.migrate(), {
    name: 'TypeError',
    message: /certificates needs a knowledge base: add knowledge\(\) to the capabilities/,
  });
});

const ADDRESSES: ReadonlyArray<
  readonly [
    given: string,
    options: { baseUrl?: string },
    settings: { trustUrl?: string },
    warns: boolean,
  ]
> = [
  ['no public URL', {}, {}, true],
  ['baseUrl', { baseUrl: HOST }, {}, false],
  ['trustUrl', {}, { trustUrl: HOST }, false],
];
for (const [given, options, certificates, warns] of ADDRESSES) {
  test(`certificates with ${given} ${warns ? 'are' : 'are not'} warned about`, async (t) => {
    const warnings: unknown[][] = [];
    const warn = (...record: unknown[]) => warnings.push(record);
    const ignore = () => undefined;
    const probity = createProbity({
      ...{ database: 'memory', authenticate, ...options },
      capabilities: [knowledge(), governance({ certificates })],
      encryptionKey: Buffer.alloc(32, 1).toString('base64'),
      logger: { debug: ignore, info: ignore, error: ignore, warn },
    });
    t.after(() => probity.stop());
    await probity.migrate();
    const told = warnings.filter(([message]) => /baseUrl, or certificates/.test(String(message)));
    const fields = { trust_url: 'http://localhost:3000/probity' };
    assert.deepEqual(
      told.map((record) => record[1]),
      warns ? [fields] : [],
    );
  });
}

test('a wrong setting of verification is named', () => {
  const refused: Array<[settings: object, message: RegExp]> = [
    [{ knowledge: {} }, /governance: knowledge must be .*; verify is no function/],
    [{ certificates: { url: 'x' } }, /url is not an option/],
    [{ certificates: { trustUrl: 'x' } }, /governance: certificates\.trustUrl must be an http/],
  ];
  for (const [settings, message] of refused) {
    assert.throws(() => governance(settings as GovernanceSettings), message);
  }
});
