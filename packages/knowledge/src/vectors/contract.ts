import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VectorEntry, VectorMatch, VectorStore } from './types.ts';

/** A store to hold against the contract. */
export interface VectorStoreTarget {
  readonly name: string;
  /** Opens an empty store; `reopen` another one on what the first has stored, null where nothing outlives it. */
  open(): Promise<{
    readonly store: VectorStore;
    readonly reopen: (() => Promise<VectorStore>) | null;
    dispose(): Promise<void>;
  }>;
}

type Check = (store: VectorStore) => Promise<void>;

const promises: Readonly<Record<string, Check>> = {
  'the nearest come first, and the position is that of the last changes': searches,
  'equally near vectors come by id, also at the end of what is asked for': ordersTies,
  'a vector is replaced, and removed, by its id': changes,
  'collections are apart, and are dropped alone': keepsApart,
  'a vector of another length is refused, and changes nothing': refusesOtherLengths,
  'a search agrees with an exhaustive one on 2,000 vectors': isExact,
};

/** Registers the contract of {@link VectorStore} in `node:test`; every store must pass it. */
export function describeVectorStore(target: VectorStoreTarget): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${target.name}: ${title}`, async () => {
      const { store, dispose } = await target.open();
      try {
        await check(store);
      } finally {
        await dispose();
      }
    });
  }
  test(`${target.name}: what was stored is there after a restart, where it outlives one`, async () => {
    const { store, reopen, dispose } = await target.open();
    try {
      await store.apply('a', { upserts: [entry('x', 1, 0)], removals: [], sequence: 5 });
      if (reopen === null) return;
      const again = await reopen();
      assert.equal(await again.position('a'), 5);
      assert.deepEqual(idsOf(await again.search('a', Float32Array.of(1, 0), 9)), ['x']);
    } finally {
      await dispose();
    }
  });
}

function entry(id: string, ...numbers: number[]): VectorEntry {
  return { id, vector: Float32Array.from(numbers) };
}

function idsOf(matches: readonly VectorMatch[]): string[] {
  return matches.map(({ id }) => id);
}

async function searches(store: VectorStore): Promise<void> {
  const upserts = [
    entry('far', -1, 0),
    entry('near', 3, 1),
    entry('same', 2, 0),
    entry('side', 0, 1),
  ];
  assert.equal(await store.position('a'), 0);
  assert.deepEqual(await store.search('a', Float32Array.of(1, 0), 3), []);
  await store.apply('a', { upserts, removals: [], sequence: 4 });
  assert.equal(await store.position('a'), 4);
  const found = await store.search('a', Float32Array.of(10, 0), 4);
  assert.deepEqual(idsOf(found), ['same', 'near', 'side', 'far']);
  const expected = [1, 3 / Math.sqrt(10), 0, -1];
  found.forEach(({ similarity }, at) => {
    assert.ok(Math.abs(similarity - (expected[at] as number)) < 1e-5, `${similarity}`);
  });
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(10, 0), 1)), ['same']);
}

async function ordersTies(store: VectorStore): Promise<void> {
  const upserts = ['d', 'b', 'a', 'c'].map((id) => entry(id, 1, 1));
  await store.apply('a', { upserts, removals: [], sequence: 1 });
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 1), 2)), ['a', 'b']);
}

async function changes(store: VectorStore): Promise<void> {
  const first = [entry('x', 1, 0), entry('y', 0, 1)];
  await store.apply('a', { upserts: first, removals: [], sequence: 2 });
  await store.apply('a', { upserts: [entry('x', 0, 1)], removals: ['y', 'unknown'], sequence: 4 });
  const [only, ...others] = await store.search('a', Float32Array.of(0, 1), 9);
  assert.deepEqual([only?.id, others], ['x', []]);
  assert.ok((only?.similarity ?? 0) > 0.999);
  await store.apply('a', { upserts: [], removals: ['x'], sequence: 5 });
  assert.deepEqual(await store.search('a', Float32Array.of(0, 1), 9), []);
  assert.equal(await store.position('a'), 5);
}

async function keepsApart(store: VectorStore): Promise<void> {
  for (const name of ['a', "b'; drop"]) {
    await store.apply(name, { upserts: [entry(name, 1, 0)], removals: [], sequence: 1 });
  }
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 0), 9)), ['a']);
  await store.drop('a');
  await store.drop('unknown');
  assert.equal(await store.position('a'), 0);
  assert.deepEqual(idsOf(await store.search("b'; drop", Float32Array.of(1, 0), 9)), ["b'; drop"]);
  await store.apply('a', { upserts: [entry('z', 1, 2, 3)], removals: [], sequence: 1 });
}

async function refusesOtherLengths(store: VectorStore): Promise<void> {
  await store.apply('a', { upserts: [entry('x', 1, 0)], removals: [], sequence: 1 });
  const mixed = [entry('y', 0, 1), entry('z', 1, 2, 3)];
  const refused = store.apply('a', { upserts: mixed, removals: ['x'], sequence: 2 });
  await assert.rejects(refused, RangeError);
  await assert.rejects(store.search('a', Float32Array.of(1), 1), RangeError);
  assert.equal(await store.position('a'), 1);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(0, 1), 9)), ['x']);
}

async function isExact(store: VectorStore): Promise<void> {
  const next = createNumbers(7);
  const random = () => Float32Array.from({ length: 48 }, () => next() - 0.5);
  const upserts = Array.from({ length: 2_000 }, (_, at) => ({ id: `n${at}`, vector: random() }));
  for (let from = 0; from < upserts.length; from += 500) {
    const part = upserts.slice(from, from + 500);
    await store.apply('a', { upserts: part, removals: [], sequence: from + 500 });
  }
  for (let round = 0; round < 20; round++) {
    const vector = random();
    const all = upserts.map((each) => ({ id: each.id, similarity: cosine(each.vector, vector) }));
    const expected = all.sort((left, right) => right.similarity - left.similarity).slice(0, 5);
    assert.deepEqual(idsOf(await store.search('a', vector, 5)), idsOf(expected));
  }
}

function cosine(left: Float32Array, right: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
}

/** Numbers from 0 to 1 in an order that a seed decides. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
