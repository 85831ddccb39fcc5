import { createHash } from 'node:crypto';
import { toPlainType } from '../assertions/types.ts';
import type { Evaluation, EvaluationProvider, EvaluationResult, FindingType } from '../types.ts';
import { identityOf } from './providers.ts';

/** Version of the keys: their fields, and the rules of promptLabel and findingType, never change under it. */
const KEY_VERSION = 1;

/** The run that an evaluation belongs to: its time or, without one, its content. */
export function runOf({ time, contentDigest }: Pick<Evaluation, 'time' | 'contentDigest'>): string {
  return time === null ? `c:${contentDigest}` : `t:${time}`;
}

/** Key of the record that sums up the results of a provider. */
export function summaryKey(
  organizationId: string,
  run: string,
  provider: EvaluationProvider,
): string {
  return keyOf(['summary', KEY_VERSION, organizationId, run, ...identityOf(provider)]);
}

/** Numbers failing results of which all fields are equal, from 0, in the order of the file. */
export class FailureOrdinals {
  readonly #ordinals = new Map<string, number>();

  /** The number of a result with these fields. */
  next(fields: readonly unknown[]): number {
    const same = JSON.stringify(fields);
    const ordinal = this.#ordinals.get(same) ?? 0;
    this.#ordinals.set(same, ordinal + 1);
    return ordinal;
  }
}

/** The fields that identify a failing result within its run. */
export function failureFields(result: EvaluationResult, findingType: FindingType): unknown[] {
  const { provider, assertions, score, promptLabel } = result;
  const [id, ...label] = identityOf(provider);
  const types = [...new Set(assertions.map(({ type }) => toPlainType(type)))].sort();
  return [id, findingType, types, score, promptLabel, ...label];
}

/** Keys of the records of failing results. */
export class FailureKeys {
  readonly #ordinals = new FailureOrdinals();
  readonly #organizationId: string;
  readonly #run: string;

  constructor(organizationId: string, run: string) {
    this.#organizationId = organizationId;
    this.#run = run;
  }

  /** The key of a result; results of which all fields are equal are told apart by their number. */
  next(result: EvaluationResult, findingType: FindingType): string {
    const fields = failureFields(result, findingType);
    const ordinal = result.ordinal ?? this.#ordinals.next(fields);
    return keyOf(['failure', KEY_VERSION, this.#organizationId, this.#run, ...fields, ordinal]);
  }
}

function keyOf(fields: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['evaltool', ...fields]))
    .digest('hex');
}
