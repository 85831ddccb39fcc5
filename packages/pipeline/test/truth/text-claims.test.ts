import assert from 'node:assert/strict';
import test from 'node:test';
import { createSentenceEmbedder, readTextClaims } from '../../src/claims.ts';

const NUGGETS = [
  {
    claim: 'The Nile flows north through eleven countries and empties into the Mediterranean Sea.',
  },
  { claim: 'The support team answers within two working days.' },
];

test('each claim of a text is checked as the stage truth does', () => {
  const text =
    'The support team answers within two working days. The Nile empties into the Red Sea.';
  const claims = readTextClaims(text);
  assert.deepEqual(
    claims.map(({ start, end }) => text.slice(start, end)),
    claims.map((claim) => claim.text),
  );
  const [first, second] = claims.map(({ check }) => check(NUGGETS));
  assert.deepEqual([first?.type, first?.nugget], ['supported', 1]);
  assert.equal(second?.nugget, 0);
  assert.notEqual(second?.type, 'supported');
  assert.equal(claims[0]?.check([]), null);
  assert.equal(claims[0]?.check([{ claim: 'Bananas grow in warm places.' }]), null);
});

test('a text or a statement in a language that the stage does not know is not judged', () => {
  const german = 'Das Team für Anfragen antwortet innerhalb von zwei Werktagen nach der Anfrage.';
  assert.ok(readTextClaims(german).every(({ check }) => check(NUGGETS) === null));
  assert.deepEqual(readTextClaims('  '), []);
});

test('vectors of sentences have one length, are near for like meaning, and tell names apart', async () => {
  const { signal } = new AbortController();
  const texts = [
    'The physician examined the child.',
    'A doctor looked at the kid.',
    'The Qorvat engine of Blenheimer failed.',
    'The Zuxle engine of Trompel failed.',
    'of the and',
  ];
  const vectors = await createSentenceEmbedder().embed(texts, signal);
  const dot = (a: number, b: number) =>
    (vectors[a] as Float32Array).reduce(
      (sum, value, at) => sum + value * (vectors[b]?.[at] ?? 0),
      0,
    );
  assert.deepEqual([...new Set(vectors.map(({ length }) => length))], [256]);
  for (const at of [0, 1, 2, 3]) assert.ok(Math.abs(dot(at, at) - 1) < 1e-5);
  assert.equal(dot(4, 4), 0);
  assert.ok(dot(0, 1) > dot(0, 2));
  assert.ok(dot(2, 3) < 0.9);
  const aborted = createSentenceEmbedder().embed(texts, AbortSignal.abort());
  await assert.rejects(aborted, { name: 'AbortError' });
});

test('a repetition is supported in the words of the statement, and nothing is added, left out, changed or moved', () => {
  const fact = 'Standard shipping to Austria takes three days and costs 4.90 euros.';
  const repeats = (text: string) => readTextClaims(text)[0]?.check([{ claim: fact }])?.isRepetition;
  for (const text of [
    fact,
    'Our standard shipping to Austria takes 3 days and costs 4.90 euros',
    '“Standard shipping to Austria takes three days, and costs 4.90 Euros.”',
  ]) {
    assert.equal(repeats(text), true, text);
  }
  for (const text of [
    'Standard shipping to Austria takes three days and costs 4.90 dollars.',
    'Standard shipping to Austria takes three weeks and costs 4.90 euros.',
    'Standard shipping to Austria takes three days and costs 4.90 euros, plus a fee.',
    'Shipping takes days.',
    'Standard shipping to Austria takes three days.',
    'Nobody says that standard shipping to Austria takes three days and costs 4.90 euros.',
    'Standard shipping to Austria takes three days and costs 4.90 euros?',
    'Standard shipping to Austria hardly takes three days and costs 4.90 euros.',
    'If it snows, standard shipping to Austria takes three days and costs 4.90 euros.',
    'Express shipping to Austria takes three days and costs 4.90 euros.',
  ]) {
    assert.equal(repeats(text), false, text);
  }
});
