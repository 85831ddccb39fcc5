import type { Evidence } from '../records/types.ts';
import { matchObligations } from './match.ts';
import type { Signal } from './types.ts';
import { SIGNALS } from './types.ts';

/** Stances of a record on an obligation: `adverse` where a failure links them, else `supporting`. */
export const STANCES = ['supporting', 'adverse'] as const;
/** One of {@link STANCES}. */
export type Stance = (typeof STANCES)[number];

/** The metadata that decides on the stance. */
export interface StanceFacts {
  /** Whether the record is about a failing result. */
  readonly isFailure: boolean;
  /** The categories of findings of a summary. */
  readonly categories: readonly string[];
}

/** The facts of a record. */
export function stanceFactsOf({ metadata }: Pick<Evidence, 'metadata'>): StanceFacts {
  const { findingType, findingCategories } = metadata;
  return {
    isFailure: typeof findingType === 'string',
    categories: Array.isArray(findingCategories)
      ? findingCategories.filter((each) => typeof each === 'string')
      : [],
  };
}

/**
 * The obligations on which evidence with these facts is adverse: every obligation of a failing result; of a summary the
 * obligations that one of its findings is about, even where passing tests support them too.
 */
export function adverseAmong(
  { isFailure, categories }: StanceFacts,
  obligationIds: readonly string[],
): ReadonlySet<string> {
  if (isFailure) return new Set(obligationIds);
  const findings = SIGNALS.filter((signal) => isFinding(signal) && categories.includes(signal));
  const about = new Set(matchObligations(findings));
  return new Set(obligationIds.filter((id) => about.has(id)));
}

/** Passing tests make the other signal. */
function isFinding(signal: Signal): boolean {
  return signal !== 'general testing';
}

/** The stance of a record on each of its obligations. */
export function stancesOf(
  record: Pick<Evidence, 'metadata' | 'obligationIds'>,
): Map<string, Stance> {
  const adverse = adverseAmong(stanceFactsOf(record), record.obligationIds);
  return new Map(
    record.obligationIds.map((id) => [id, adverse.has(id) ? 'adverse' : 'supporting']),
  );
}
