/** `npm run test:all` sets it: every combination is tested, where `npm test` tests a sample. */
const isWhole = process.env.TEST_ALL === '1';

/**
 * The databases that tests of services and of HTTP run on. `npm test` leaves out PostgreSQL, on
 * which it runs the contract suites of the storage, the races and the tests that iterate over all
 * targets.
 */
export function sampleTargets<Target extends { readonly name: string }>(
  targets: readonly Target[],
): readonly Target[] {
  return isWhole ? targets : targets.filter(({ name }) => name !== 'postgres');
}

/**
 * The number of cases of a property, or of rounds of a race or a kill: all of `whole`, or a quarter of it
 * in `npm test`.
 */
export function roundsOf(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 4);
}

/**
 * The elements of a product of cases: all of them, or in `npm test` every `nth`, beginning with
 * the element at `offset`, which lets each place take others.
 */
export function sampleCases<Case>(cases: readonly Case[], nth: number, offset = 0): Case[] {
  return isWhole ? [...cases] : cases.filter((_, index) => (index + offset) % nth === 0);
}
