const EVERY_MS = 10_000;

/**
 * Makes of a function that takes errors one that passes on the first of each message in ten
 * seconds, with the number of those kept back before: a server that is down fails many times a scan.
 */
export function sampleErrors(
  tell: (error: unknown, keptBack: number) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let seen = new Map<string, number>();
  let since = Number.NEGATIVE_INFINITY;
  let before: ReadonlyMap<string, number> = seen;
  return (error) => {
    if (now() - since >= EVERY_MS) {
      since = now();
      before = seen;
      seen = new Map();
    }
    const message = String((error as Error | undefined)?.message ?? error);
    const count = seen.get(message);
    seen.set(message, (count ?? -1) + 1);
    if (count === undefined) tell(error, before.get(message) ?? 0);
  };
}
