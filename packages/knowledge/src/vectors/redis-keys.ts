/** The part of an ioredis client that the store uses. */
export interface RedisCommands {
  /** Sends a command; texts of the answer are bytes. */
  callBuffer(command: string, ...args: (string | Buffer)[]): Promise<unknown>;
}

/** The keys of a collection. */
export interface RedisKeys {
  /** A hash: sequence, dimensions, generation. */
  readonly head: string;
  /** A hash: vectors by id. */
  readonly vectors: string;
  /** A sorted set: ids by the sequence of their last change. */
  readonly log: string;
}

/** The keys of a collection. */
export function keysOf(prefix: string, name: string): RedisKeys {
  const key = `${prefix}${name}:`;
  return { head: `${key}head`, vectors: `${key}vectors`, log: `${key}log` };
}

/** An answer that is a list of texts, which may be missing. */
export function listOf(answer: unknown): (Buffer | null)[] {
  if (Array.isArray(answer)) return answer as (Buffer | null)[];
  throw new TypeError('Redis has not answered with a list.');
}

/** An answer that is a number, as a number or a text; 0 where it is missing. */
export function numberOf(answer: unknown): number {
  return Number(answer ?? 0);
}
