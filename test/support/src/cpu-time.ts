import assert from 'node:assert/strict';

/** Other work on the machine makes single runs slower, so that a slow one is repeated up to so often. */
const MOST_ROUNDS = 20;

async function cpuMsOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function leastCpuMs(rounds: number, enoughMs: number, run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && least >= enoughMs; round += 1) {
    least = Math.min(least, await cpuMsOf(run));
  }
  return least;
}

/**
 * Asserts that one of several runs takes less than `limitMs` of CPU. Give a limit that is at least 20 times what
 * a quiet machine needs, for work whose growth without a bound would exceed it by far.
 */
export async function assertCpuBelow(
  limitMs: number,
  run: () => unknown,
  what = 'the work',
): Promise<void> {
  const leastMs = await leastCpuMs(MOST_ROUNDS, limitMs, run);
  assert.ok(leastMs < limitMs, `${what} took ${leastMs} ms of CPU, more than ${limitMs}`);
}

/**
 * Asserts that the CPU time of work grows about linearly with its input.
 *
 * @param short runs the work on an input
 * @param long runs it on one that is eight to ten times as long
 */
export async function assertLinearTime(
  short: () => unknown,
  long: () => unknown,
  what = 'the work',
): Promise<void> {
  const shortMs = await leastCpuMs(3, 0, short);
  // Between the eight times of linear growth and the sixty-four of a square.
  await assertCpuBelow(
    32 * shortMs + 100,
    long,
    `${what}, after ${shortMs} ms for the short input,`,
  );
}
