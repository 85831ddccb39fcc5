import type { JsonObject } from '../../src/schemas/types.ts';
import { ENTERPRISE } from './people.ts';

/** A PATCH of a user whose time is measured. */
interface ColdRequest {
  /** What the user has besides its e-mail. */
  readonly attributes?: JsonObject;
  readonly operations: () => readonly unknown[];
}

function many(count: number, of: (index: number) => unknown): ColdRequest['operations'] {
  return () => Array.from({ length: count }, (_, index) => of(index));
}

const thousand: JsonObject = {
  ims: Array.from({ length: 1_000 }, (_, index) => ({ value: `v${index}` })),
};

const terms = (index: number) =>
  Array.from({ length: 9 }, (_, term) => `type ne "${index}.${term}"`).join(' and ');

/** Requests with as many operations as are allowed, or with twice as many, each kind costly in another way. */
export const COLD_REQUESTS: Readonly<Record<string, ColdRequest>> = {
  '1,000 operations': {
    operations: many(1_000, (i) => ({ op: 'replace', path: 'title', value: `v${i}` })),
  },
  '500 replacements': {
    operations: many(500, (i) => ({ op: 'Replace', path: 'title', value: `v${i}` })),
  },
  '500 managers': {
    operations: many(500, (i) => ({ op: 'Add', path: `${ENTERPRISE}:manager`, value: `v${i}` })),
  },
  '500 values without path': {
    operations: many(500, (i) => ({
      op: 'Replace',
      value: { 'name.givenName': `a${i}`, displayName: `b${i}`, [`${ENTERPRISE}:division`]: 'c' },
    })),
  },
  '500 additions': {
    operations: many(500, (i) => ({ op: 'add', path: 'ims', value: [{ value: `v${i}` }] })),
  },
  '500 additions to 1,000 values': {
    attributes: thousand,
    operations: many(500, (i) => ({ op: 'add', path: 'ims', value: [{ value: `w${i}` }] })),
  },
  '500 removals from 1,000 values': {
    attributes: thousand,
    operations: many(500, (i) => ({ op: 'remove', path: 'ims', value: [{ value: `w${i}` }] })),
  },
  '500 value paths that create': {
    operations: many(500, (i) => ({
      op: 'Add',
      path: `emails[type eq "t${i}"].value`,
      value: 'v',
    })),
  },
  '500 filters of nine terms': {
    attributes: thousand,
    operations: many(500, (i) => ({ op: 'remove', path: `ims[${terms(i)}]` })),
  },
  '500 additions of 100 values': {
    operations: many(500, (i) => ({
      op: 'replace',
      path: 'ims',
      value: Array.from({ length: 100 }, (_, index) => ({ value: `${i}.${index}`, type: 'x' })),
    })),
  },
};
