import assert from 'node:assert/strict';
import test from 'node:test';
import { hashContent, hashLinks, hashNode } from '../../src/chain/form.ts';

const TIME = new Date('2026-01-01T00:00:00.000Z');

const content = {
  salt: '00112233445566778899aabbccddeeff',
  evidenceType: 'evaltool_eval',
  source: 'evaltool',
  title: 'Failed „test"',
  content: 'Zeile 1\nZeile 2',
  metadata: { score: 0.5, list: [1, null, 'ä'], nested: { b: 1, a: 2 } },
  occurredAt: TIME,
};
const links = {
  salt: content.salt,
  aiSystemId: '01940000-0000-7000-8000-000000000001',
  labels: { team: 'a', env: 'prod' },
  obligationIds: ['soc2-cc8-1', 'euaia-art-15-4'],
};
const node = {
  id: '01940000-0000-7000-8000-000000000002',
  organizationId: 'org_1',
  amends: null,
  idempotencyKey: 'key',
  contentHash: 'c'.repeat(64),
  linksHash: 'd'.repeat(64),
  createdAt: TIME,
};

test('the form of what is hashed never changes: stored chains and exported files depend on it', () => {
  assert.deepEqual(
    [
      hashContent(content),
      hashContent({ ...content, occurredAt: null }),
      hashLinks(links),
      hashNode(node, { sequence: 1, previousHash: '' }),
      hashNode({ ...node, amends: 'x', idempotencyKey: null }, { sequence: 2, previousHash: 'e' }),
    ],
    [
      '783839c13006d3af47630a1c227b8315446ebdf7769ec0b3dd9d37a57144dfcf',
      '61b16f19fe70da3b1893fedf6e99d8b123254566be4aa78f64a91d278b2b25a5',
      'dce214e87f0812c5cebce184b65fae28e9cd96dc84f2e5153388012230c6838e',
      '36c72fe978689da20bf7a74461088d59f6140fd934f6d6fcfa710353a04bdfcc',
      '1ce48c5647f65429748ed451f93cf333a278a93dcc3ca8876aefc8082ca35ea9',
    ],
  );
});

test('the order of labels and obligations does not matter, and every fact does', () => {
  const others = [
    { ...links, labels: { env: 'prod', team: 'b' } },
    { ...links, labels: { env: 'prod' } },
    { ...links, obligationIds: ['soc2-cc8-1'] },
    { ...links, aiSystemId: null },
    { ...links, salt: 'other' },
  ];
  const reordered = {
    ...links,
    labels: { env: 'prod', team: 'a' },
    obligationIds: [...links.obligationIds].reverse(),
  };
  assert.equal(hashLinks(reordered), hashLinks(links));
  const hashes = new Set([links, ...others].map((each) => hashLinks(each)));
  assert.equal(hashes.size, others.length + 1);
});
