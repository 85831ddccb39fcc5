import { createKeyedLimit } from '@probity/core/internal';
import { toUnitChanges } from './changes.ts';
import type { LocalCopy } from './redis-copy.ts';
import { encodeVector, followChanges } from './redis-copy.ts';
import type { RedisCommands, RedisKeys } from './redis-keys.ts';
import { keysOf, listOf, numberOf } from './redis-keys.ts';
import type { VectorStore } from './types.ts';
import { requireLength } from './types.ts';

export type { RedisCommands } from './redis-keys.ts';

/** Options of {@link createRedisVectorStore}. */
export interface RedisVectorOptions {
  /** An ioredis client; the caller closes it. */
  readonly client: RedisCommands;
  /** Names the lifetime of a collection, such as a UUID; no other has it. */
  newGeneration(): string;
  /** Prefix of every key; default `probity:vectors:`. */
  readonly keyPrefix?: string | undefined;
  /** Largest size in bytes of the copies that the process keeps; default 512 MiB. The one in use is always kept. */
  readonly maxBytes?: number | undefined;
}

const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Applies changes if the collection is at the position that they follow. Redis runs a script as a whole.
 * The log has for each id, of removed vectors too, the sequence of its last change. Returns 1, or 0 where another
 * writer was faster.
 */
const APPLY = `
local head, vectors, log, names = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local sequence = redis.call('HGET', head, 'sequence') or '0'
local dimensions = redis.call('HGET', head, 'dimensions') or '0'
if sequence ~= ARGV[1] or (dimensions ~= '0' and dimensions ~= ARGV[3]) then return 0 end
redis.call('HSETNX', head, 'generation', ARGV[4])
redis.call('HSET', head, 'sequence', ARGV[2], 'dimensions', ARGV[3])
redis.call('SADD', names, ARGV[5])
local removals = tonumber(ARGV[6])
for at = 7, 6 + removals do
  redis.call('HDEL', vectors, ARGV[at])
  redis.call('ZADD', log, ARGV[2], ARGV[at])
end
for at = 7 + removals, #ARGV, 2 do
  redis.call('HSET', vectors, ARGV[at], ARGV[at + 1])
  redis.call('ZADD', log, ARGV[2], ARGV[at])
end
return 1`;

const DROP = `
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
redis.call('SREM', KEYS[4], ARGV[1])
return 1`;

/**
 * Keeps vectors in any Redis, as binary fields of a hash for each collection. Redis itself compares none: each process
 * has a copy of the collections that it searches, follows their changes before each search, and compares with every
 * vector, exact. A copy of 20,000 vectors of 256 numbers takes 24 MB.
 */
export function createRedisVectorStore(options: RedisVectorOptions): VectorStore {
  const { client, newGeneration, keyPrefix = 'probity:vectors:', maxBytes = MAX_BYTES } = options;
  const copies = new Map<string, LocalCopy>();
  const inTurn = createKeyedLimit(1);
  const names = `${keyPrefix}names`;
  const keys = (name: string): RedisKeys => keysOf(keyPrefix, name);
  const run = (script: string, name: string, ...args: (string | Buffer)[]) => {
    const { head, vectors, log } = keys(name);
    return client.callBuffer('EVAL', script, '4', head, vectors, log, names, ...args);
  };
  const readHead = async (name: string) => {
    const answer = await client.callBuffer('HMGET', keys(name).head, 'sequence', 'dimensions');
    const [sequence, dimensions] = listOf(answer);
    return { sequence: numberOf(sequence), dimensions: numberOf(dimensions) };
  };
  return {
    async position(name) {
      return (await readHead(name)).sequence;
    },
    async apply(name, changes) {
      const { dimensions } = await readHead(name);
      const { length, upserts, removals } = toUnitChanges(dimensions, changes);
      const places = [changes.after, changes.sequence, length].map(String);
      const stored = upserts.flatMap((each) => [each.id, encodeVector(each)]);
      const args = [newGeneration(), name, String(removals.length), ...removals, ...stored];
      return numberOf(await run(APPLY, name, ...places, ...args)) === 1;
    },
    search: (name, vector, count, filter) =>
      inTurn(name, async () => {
        const copy = await followChanges(client, keys(name), copies.get(name));
        copies.delete(name);
        if (!copy) return [];
        // Behind the others: the first of them is the one that was used least lately.
        copies.set(name, copy);
        forgetCopies(copies, maxBytes);
        if (!copy.index) return [];
        requireLength(vector, copy.index.length);
        return copy.index.search(vector, count, filter);
      }),
    async collections() {
      return listOf(await client.callBuffer('SMEMBERS', names)).map(String);
    },
    async drop(name) {
      await run(DROP, name, name);
    },
    async close() {
      copies.clear();
    },
  };
}

function forgetCopies(copies: Map<string, LocalCopy>, maxBytes: number): void {
  let bytes = 0;
  for (const { index } of copies.values()) bytes += index?.bytes ?? 0;
  for (const [name, { index }] of copies) {
    if (bytes <= maxBytes || copies.size === 1) return;
    copies.delete(name);
    bytes -= index?.bytes ?? 0;
  }
}
