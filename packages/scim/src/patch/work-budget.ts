import { scimError } from '../errors.ts';
import type { Filter } from '../filters/types.ts';

/** Number of values that are read, times the terms of the filters that are applied to them. */
const MAX_WORK = 10_000;

/** Bounds the time of a PATCH, whose operations may each read all values of an attribute. */
export interface WorkBudget {
  /** @throws ProbityError `tooMany` when the PATCH takes too long */
  spend(values: number, filter: Filter | null): void;
}

/** Creates the budget of one PATCH. */
export function createWorkBudget(limit = MAX_WORK): WorkBudget {
  let left = limit;
  return {
    spend(values, filter) {
      left -= values * (filter ? termsOf(filter) : 1);
      if (left >= 0) return;
      throw scimError('tooMany', 'The operations read too many values; send fewer in one request');
    },
  };
}

function termsOf(filter: Filter): number {
  if ('filters' in filter) return filter.filters.reduce((sum, part) => sum + termsOf(part), 0);
  return 'filter' in filter ? termsOf(filter.filter) : 1;
}
