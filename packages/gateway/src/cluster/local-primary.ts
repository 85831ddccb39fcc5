import type { MakeParts, Primary, PrimaryPart, WorkerId, Workers } from './part.ts';

/** The number of the only serving process. */
const ONLY_WORKER: WorkerId = 0;

/** The parts by their names. */
export function partTable(parts: readonly PrimaryPart[]) {
  const byName = new Map(parts.map((part) => [part.name, part]));
  return {
    parts,
    /** Gives a part what a worker sends to it. */
    deliver(name: string, body: unknown, isCall: boolean, worker: WorkerId): unknown {
      const part = byName.get(name);
      if (part === undefined) throw new Error(`the gateway has no part ${name}`);
      return isCall ? part.answer?.(body, worker) : part.take?.(body, worker);
    },
  };
}

/** The parts in the process that serves, for a gateway of one process. */
export function createLocalPrimary(make: MakeParts): {
  readonly primary: Primary;
  readonly parts: readonly PrimaryPart[];
} {
  const handlers = new Map<string, (message: unknown) => unknown>();
  const workers: Workers = {
    ask<Answer>(part: string, request: unknown) {
      const answer = Promise.resolve(request).then(handlers.get(part)) as Promise<Answer>;
      return new Map([[ONLY_WORKER, answer]]);
    },
    tell: (part, message) => void handlers.get(part)?.(message),
  };
  const table = partTable(make(workers));
  const primary: Primary = {
    call: async <Answer>(part: string, request: unknown) =>
      (await table.deliver(part, request, true, ONLY_WORKER)) as Answer,
    tell: (part, message) => void table.deliver(part, message, false, ONLY_WORKER),
    handle: (part, take) => void handlers.set(part, take),
  };
  return { primary, parts: table.parts };
}
