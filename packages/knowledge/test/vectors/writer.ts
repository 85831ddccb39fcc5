import { openStore } from './open-store.ts';

/**
 * A program that applies changes without end, and is killed by its test: `node writer.js LOCATION`. The changes that end
 * at a sequence store `n<sequence>` to `n<sequence + 199>` and remove those of the sequence before.
 */
const store = await openStore(JSON.parse(process.argv[2] ?? '{}'));
for (;;) {
  const after = await store.position('a');
  const idsOf = (sequence: number) => Array.from({ length: 200 }, (_, at) => `${sequence}-${at}`);
  const upserts = idsOf(after + 1).map((id, at) => ({ id, vector: Float32Array.of(1, at) }));
  const removals = after > 0 ? idsOf(after) : [];
  await store.apply('a', { upserts, removals, after, sequence: after + 1 });
  process.stdout.write(`${after + 1}\n`);
}
