import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { SealedValues } from './sealed-values.ts';
import type { SealingKeys } from './sealing-keys.ts';

/** Dependencies of resealing. */
export interface ResealDependencies {
  readonly sealingKeys: SealingKeys;
  /** Seals under the new key, and opens under all others in use. */
  readonly secretBox: SecretBox;
  readonly values: readonly SealedValues[];
  readonly clock: Clock;
  /** Values per transaction; default 100. */
  readonly batchSize?: number;
}

/** Result of a rotation. */
export interface ResealReport {
  /** The key that now seals everything. */
  readonly keyId: string;
  /** Number of resealed values, by kind. */
  readonly resealed: Readonly<Record<string, number>>;
  /** Retired keys; sealing under them is refused. */
  readonly retiredKeyIds: readonly string[];
}

/**
 * Reseals everything under the box's own key, in short transactions, while servers run. It may be
 * interrupted at any point and restarted.
 *
 * Between the two passes the other keys are retired: from that commit on a storage rejects values
 * under them (`SealingKeys.retire`), so that a value sealed by a server with an old key is either
 * found by the second pass or was never stored. Only then may the old keys be deleted.
 *
 * @throws ProbityError `conflict` that names the values that no key opens; all others have then
 *   been resealed, and no key is retired
 */
export async function resealAll(dependencies: ResealDependencies): Promise<ResealReport> {
  const { sealingKeys, secretBox, values, clock } = dependencies;
  const { keyId } = secretBox;
  await sealingKeys.register(keyId, clock.now());
  const retiredKeyIds = (await sealingKeys.list()).filter((id) => id !== keyId);
  const counts = new Map(values.map(({ name }) => [name, 0]));
  await reseal(dependencies, counts);
  for (const id of retiredKeyIds) await sealingKeys.retire(id, clock.now());
  await reseal(dependencies, counts);
  return { keyId, resealed: Object.fromEntries(counts), retiredKeyIds };
}

async function reseal(dependencies: ResealDependencies, counts: Map<string, number>) {
  const lost: string[] = [];
  for (const values of dependencies.values) {
    const done = await resealKind(dependencies, values, lost);
    counts.set(values.name, (counts.get(values.name) ?? 0) + done);
  }
  if (lost.length === 0) return;
  const named =
    lost.slice(0, 5).join(', ') + (lost.length > 5 ? ` and ${lost.length - 5} more` : '');
  throw new ProbityError(
    'conflict',
    `No configured key opens ${lost.length} sealed values (${named}): add the key that they were ` +
      'sealed under, or delete the records that hold them; the old keys stay in use',
  );
}

async function resealKind(
  { secretBox, batchSize = 100 }: ResealDependencies,
  values: SealedValues,
  lost: string[],
): Promise<number> {
  let after = '';
  let done = 0;
  for (;;) {
    const batch = await values.list(secretBox.keyId, after, batchSize);
    after = batch.at(-1)?.id ?? after;
    const replaced = batch.flatMap(({ id, sealed }) => {
      const purpose = values.purposeOf(id);
      const secret = openOrNull(secretBox, sealed, purpose);
      if (secret === null) lost.push(purpose);
      return secret === null ? [] : [{ id, from: sealed, to: secretBox.seal(secret, purpose) }];
    });
    if (replaced.length > 0) await values.replace(replaced);
    done += replaced.length;
    // Not only when none is left: servers with an old key may seal some at each look.
    if (batch.length < batchSize) return done;
  }
}

function openOrNull(secretBox: SecretBox, sealed: string, purpose: string): string | null {
  try {
    return secretBox.open(sealed, purpose);
  } catch {
    return null;
  }
}
