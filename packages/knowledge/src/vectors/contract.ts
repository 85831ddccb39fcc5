import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VectorEntry, VectorMatch, VectorStore } from './types.ts';

/** A store to hold against the contract. */
export interface VectorStoreTarget {
  readonly name: string;
  /** Opens an empty store. */
  open(): Promise<{
    readonly store: VectorStore;
    /** Opens another instance on what the first has stored; null where processes share nothing. */
    readonly openAnother: (() => Promise<VectorStore>) | null;
    /** Closes the instances, and removes what they have stored. */
    dispose(): Promise<void>;
  }>;
}

type Opened = Awaited<ReturnType<VectorStoreTarget['open']>>;
type Check = (opened: Opened) => Promise<void>;

const promises: Readonly<Record<string, Check>> = {
  'the nearest come first, and the position is that of the last changes': searches,
  'equally near vectors come by id, also at the end of what is asked for': ordersTies,
  'a vector is replaced, and removed, by its id': changes,
  'a search finds vectors of a category, as it was given last': filters,
  'a vector of zeros is near to none, and none to it': leavesZerosOut,
  'collections are apart, are listed, and are dropped alone': keepsApart,
  'a vector of another length is refused, and changes nothing': refusesOtherLengths,
  'a collection takes vectors of any length until it has one': takesFirstLength,
  'changes that follow another position change nothing': refusesLateChanges,
  'two instances apply and search one collection, and lose and repeat nothing': sharesCollections,
  'what was stored is there after a restart, where it outlives one': outlivesRestart,
  'a search agrees with an exhaustive one on 10,000 vectors': isExact,
};

/** Registers the contract of {@link VectorStore} in `node:test`; every store must pass it. */
export function describeVectorStore(target: VectorStoreTarget): void {
  for (const [title, check] of Object.entries(promises)) {
    test(`${target.name}: ${title}`, async () => {
      const opened = await target.open();
      try {
        await check(opened);
      } finally {
        await opened.dispose();
      }
    });
  }
}

function entry(id: string, ...numbers: number[]): VectorEntry {
  return { id, vector: Float32Array.from(numbers) };
}

function idsOf(matches: readonly VectorMatch[]): string[] {
  return matches.map(({ id }) => id);
}

/** Applies changes behind the position. */
async function apply(
  store: VectorStore,
  name: string,
  sequence: number,
  upserts: readonly VectorEntry[],
  removals: readonly string[] = [],
): Promise<boolean> {
  const after = await store.position(name);
  return store.apply(name, { upserts, removals, after, sequence });
}

async function searches({ store }: Opened): Promise<void> {
  const upserts = [
    entry('far', -1, 0),
    entry('near', 3, 1),
    entry('same', 2, 0),
    entry('side', 0, 1),
  ];
  assert.equal(await store.position('a'), 0);
  assert.deepEqual(await store.search('a', Float32Array.of(1, 0), 3), []);
  assert.equal(await apply(store, 'a', 4, upserts), true);
  assert.equal(await store.position('a'), 4);
  const found = await store.search('a', Float32Array.of(10, 0), 4);
  assert.deepEqual(idsOf(found), ['same', 'near', 'side', 'far']);
  const expected = [1, 3 / Math.sqrt(10), 0, -1];
  found.forEach(({ similarity }, at) => {
    assert.ok(Math.abs(similarity - (expected[at] as number)) < 1e-5, `${similarity}`);
  });
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(10, 0), 1)), ['same']);
  assert.deepEqual(await store.search('a', Float32Array.of(10, 0), 0), []);
}

async function ordersTies({ store }: Opened): Promise<void> {
  const upserts = ['d', 'b', 'a', 'c'].map((id) => entry(id, 1, 1));
  await apply(store, 'a', 1, upserts);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 1), 2)), ['a', 'b']);
  const many = Array.from({ length: 5_000 }, (_, at) => entry(`t${5_000 + at}`, 1, 3));
  await apply(store, 'a', 2, many.reverse());
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 3), 2)), ['t5000', 't5001']);
}

async function changes({ store }: Opened): Promise<void> {
  await apply(store, 'a', 2, [entry('x', 1, 0), entry('y', 0, 1)]);
  await apply(store, 'a', 4, [entry('x', 0, 1)], ['y', 'unknown']);
  const [only, ...others] = await store.search('a', Float32Array.of(0, 1), 9);
  assert.deepEqual([only?.id, others], ['x', []]);
  assert.ok((only?.similarity ?? 0) > 0.999);
  await apply(store, 'a', 5, [], ['x']);
  assert.deepEqual(await store.search('a', Float32Array.of(0, 1), 9), []);
  assert.equal(await store.position('a'), 5);
}

async function filters({ store }: Opened): Promise<void> {
  const categories = ['water', 'a longer category: Müller', "it's", null, 'water'];
  const upserts = categories.map((category, at) => ({ ...entry(`n${at}`, 1, at), category }));
  await apply(store, 'a', 1, upserts);
  const find = async (category?: string) =>
    idsOf(await store.search('a', Float32Array.of(1, 0), 9, { category }));
  assert.deepEqual(await find('water'), ['n0', 'n4']);
  assert.deepEqual(await find('a longer category: Müller'), ['n1']);
  assert.deepEqual(await find("it's"), ['n2']);
  assert.deepEqual(await find('Water'), []);
  assert.deepEqual(await find(), ['n0', 'n1', 'n2', 'n3', 'n4']);
  await apply(store, 'a', 2, [
    { ...entry('n0', 1, 0), category: null },
    { ...entry('n3', 1, 3), category: 'water' },
  ]);
  assert.deepEqual(await find('water'), ['n3', 'n4']);
}

async function leavesZerosOut({ store }: Opened): Promise<void> {
  await apply(store, 'a', 1, [entry('x', 1, 0), entry('zero', 0, 0), entry('y', -1, 0)]);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 0), 9)), ['x', 'y']);
  assert.deepEqual(await store.search('a', Float32Array.of(0, 0), 9), []);
  await apply(store, 'a', 2, [entry('x', 0, 0)]);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 0), 9)), ['y']);
}

async function keepsApart({ store }: Opened): Promise<void> {
  const other = "b'; drop} table/ü";
  for (const name of ['a', other]) await apply(store, name, 1, [entry(name, 1, 0)]);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 0), 9)), ['a']);
  assert.deepEqual((await store.collections()).sort(), ['a', other]);
  await store.drop('a');
  await store.drop('unknown');
  assert.deepEqual(await store.collections(), [other]);
  assert.equal(await store.position('a'), 0);
  assert.deepEqual(await store.search('a', Float32Array.of(1, 0), 9), []);
  assert.deepEqual(idsOf(await store.search(other, Float32Array.of(1, 0), 9)), [other]);
  await apply(store, 'a', 1, [entry('z', 1, 2, 3)]);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 2, 3), 9)), ['z']);
}

async function refusesOtherLengths({ store }: Opened): Promise<void> {
  await apply(store, 'a', 1, [entry('x', 1, 0)]);
  const mixed = [entry('y', 0, 1), entry('z', 1, 2, 3)];
  await assert.rejects(apply(store, 'a', 2, mixed, ['x']), RangeError);
  const longer = apply(store, 'a', 2, [entry('y', 1, 2, 3)]);
  await assert.rejects(longer, /3 numbers, those of its collection 2/);
  await assert.rejects(store.search('a', Float32Array.of(1), 1), RangeError);
  assert.equal(await store.position('a'), 1);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(0, 1), 9)), ['x']);
}

async function takesFirstLength({ store }: Opened): Promise<void> {
  await apply(store, 'a', 3, [], ['unknown']);
  assert.equal(await store.position('a'), 3);
  assert.deepEqual(await store.search('a', Float32Array.of(1, 0), 9), []);
  await apply(store, 'a', 4, [entry('x', 1, 2, 3)]);
  assert.deepEqual(idsOf(await store.search('a', Float32Array.of(1, 2, 3), 9)), ['x']);
}

async function refusesLateChanges({ store }: Opened): Promise<void> {
  await apply(store, 'a', 5, [entry('x', 1, 0)]);
  const late = { upserts: [entry('x', 0, 1), entry('y', 0, 1)], removals: [] };
  assert.equal(await store.apply('a', { ...late, after: 0, sequence: 9 }), false);
  assert.equal(await store.apply('a', { ...late, after: 6, sequence: 9 }), false);
  assert.equal(await store.apply('b', { ...late, after: 6, sequence: 9 }), false);
  assert.deepEqual([await store.position('a'), await store.position('b')], [5, 0]);
  const [found, ...others] = await store.search('a', Float32Array.of(1, 0), 9);
  assert.deepEqual([found?.id, others, (found?.similarity ?? 0) > 0.999], ['x', [], true]);
}

/** Both instances try every step; each is applied once, and both find what it has stored. */
async function sharesCollections({ store, openAnother }: Opened): Promise<void> {
  const other = openAnother ? await openAnother() : store;
  for (let step = 0; step < 20; step++) {
    const upserts = [entry(`n${step}`, step, 1), entry('last', -step, 1)];
    const removals = step > 0 ? [`n${step - 1}`] : [];
    const given = { upserts, removals, after: step, sequence: step + 1 };
    const taken = await Promise.all([store.apply('a', given), other.apply('a', given)]);
    assert.deepEqual([...taken].sort(), [false, true], `step ${step}`);
    for (const each of [store, other]) {
      assert.equal(await each.position('a'), step + 1);
      const found = await each.search('a', Float32Array.of(step || 1, 1), 9);
      assert.deepEqual(idsOf(found), step === 0 ? ['last', 'n0'] : [`n${step}`, 'last']);
    }
  }
}

async function outlivesRestart({ store, openAnother }: Opened): Promise<void> {
  await apply(store, 'a', 5, [entry('x', 1, 0)]);
  await store.close();
  if (openAnother === null) return;
  const again = await openAnother();
  assert.equal(await again.position('a'), 5);
  assert.deepEqual(idsOf(await again.search('a', Float32Array.of(1, 0), 9)), ['x']);
}

async function isExact({ store }: Opened): Promise<void> {
  const next = createNumbers(7);
  const random = () => Float32Array.from({ length: 48 }, () => next() - 0.5);
  const vectors = Array.from({ length: 10_000 }, (_, at) => ({ id: `n${at}`, vector: random() }));
  for (let from = 0; from < vectors.length; from += 500) {
    assert.equal(await apply(store, 'a', from + 500, vectors.slice(from, from + 500)), true);
  }
  for (let round = 0; round < 20; round++) {
    const vector = random();
    const all = vectors.map((each) => ({ id: each.id, similarity: cosine(each.vector, vector) }));
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
