/**
 * Runs up to `concurrency` tasks at once; the others wait. A path names the groups of a task from the
 * widest to its own, such as the network and the address of a client.
 */
export type FairGate = <T>(path: readonly string[], work: () => Promise<T>) => Promise<T>;

/** Limits of a {@link FairGate}. */
export interface FairGateOptions {
  /** Tasks that run at once. */
  readonly concurrency: number;
  /** Tasks that may wait in all. */
  readonly maxWaiting: number;
  /** Tasks of one path that may wait. */
  readonly maxWaitingPerPath: number;
  /** The error of a task that may not wait: because of its own groups, or of all together. */
  refusal(reason: 'own' | 'all'): Error;
}

interface Waiter {
  admit(): void;
  refuse(error: Error): void;
}

/** A group's waiting tasks: those of its inner groups, in the order of their turns, or its own. */
interface Group {
  readonly inner: Map<string, Group>;
  readonly own: Waiter[];
  waiting: number;
}

/**
 * Creates a gate whose groups take turns, and within each its inner groups, so that a group with many
 * tasks delays another group's first task by one task at most. When all places are taken, a task
 * displaces the latest one of the largest group, unless its own group is as large; then the same holds
 * among the inner groups of its own. Tasks that are divided among many inner groups gain no place.
 */
export function createFairGate(options: FairGateOptions): FairGate {
  const { concurrency, maxWaiting, maxWaitingPerPath, refusal } = options;
  const all = createGroup();
  let running = 0;

  function add(path: readonly string[], waiter: Waiter): void {
    all.waiting += 1;
    let group = all;
    for (const key of path) {
      const inner = group.inner.get(key) ?? createGroup();
      inner.waiting += 1;
      group.inner.set(key, inner);
      group = inner;
    }
    group.own.push(waiter);
  }

  /** Removes a task of this path; `isTurn` makes its groups the last ones of the next round. */
  function remove(path: readonly string[], isTurn: boolean): Waiter | undefined {
    all.waiting -= 1;
    let group = all;
    for (const key of path) {
      const inner = group.inner.get(key);
      if (!inner) return undefined;
      inner.waiting -= 1;
      if (isTurn || inner.waiting === 0) group.inner.delete(key);
      if (isTurn && inner.waiting > 0) group.inner.set(key, inner);
      group = inner;
    }
    return isTurn ? group.own.shift() : group.own.pop();
  }

  /** The path of the task that this one may displace; undefined for none. */
  function findDisplaced(path: readonly string[]): string[] | undefined {
    let group = all;
    for (const [depth, key] of path.entries()) {
      const own = group.inner.get(key);
      const largest = group.inner.get(largestIn(group) ?? '');
      if (largest && largest.waiting > (own?.waiting ?? 0) + 1) {
        return [...path.slice(0, depth), ...follow(group, largestIn)];
      }
      if (!own) return undefined;
      group = own;
    }
    return undefined;
  }

  function wait(path: readonly string[]): Promise<void> {
    if (waitingAt(all, path) >= maxWaitingPerPath) throw refusal('own');
    if (all.waiting >= maxWaiting) {
      const displaced = findDisplaced(path);
      if (!displaced) throw refusal('all');
      remove(displaced, false)?.refuse(refusal('own'));
    }
    return new Promise((resolve, reject) => add(path, { admit: resolve, refuse: reject }));
  }

  /** Hands the place of a finished task to the task whose turn it is. */
  function leave(): void {
    if (all.waiting === 0) running -= 1;
    else remove(follow(all, firstIn), true)?.admit();
  }

  return async (path, work) => {
    if (running >= concurrency) await wait(path);
    else running += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

function createGroup(): Group {
  return { inner: new Map(), own: [], waiting: 0 };
}

function waitingAt(all: Group, path: readonly string[]): number {
  let group: Group | undefined = all;
  for (const key of path) group = group?.inner.get(key);
  return group?.waiting ?? 0;
}

/** The path from a group to tasks, by the inner group that `choose` names at each step. */
function follow(from: Group, choose: (group: Group) => string | undefined): string[] {
  const path: string[] = [];
  let group: Group | undefined = from;
  while (group) {
    const key = choose(group);
    group = key === undefined ? undefined : group.inner.get(key);
    if (key !== undefined) path.push(key);
  }
  return path;
}

function firstIn({ inner }: Group): string | undefined {
  return inner.keys().next().value;
}

function largestIn({ inner }: Group): string | undefined {
  let largest: { key?: string; waiting: number } = { waiting: 0 };
  for (const [key, { waiting }] of inner) {
    if (waiting > largest.waiting) largest = { key, waiting };
  }
  return largest.key;
}
