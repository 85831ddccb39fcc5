import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbityError } from '@probity/core';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { Filter, JsonObject } from '../../src/index.ts';
import {
  GROUP,
  matches,
  parseFilter,
  parsePatchPath,
  printFilter,
  RESOURCE_TYPES,
  USER,
} from '../../src/index.ts';
import { bodiesOf, comparisonsOf, definitionOf, filtersOf, pathsOf } from './filters.ts';

const NO_LIMITS = { maxLength: 1e6, maxTerms: 1e6, maxDepth: 1e6 };

for (const type of RESOURCE_TYPES) {
  test(`every filter of a ${type.name} that is printed is parsed to the same filter`, () => {
    fc.assert(
      fc.property(filtersOf(type), (filter) => {
        assert.deepEqual(parseFilter(printFilter(filter), type, NO_LIMITS), filter);
      }),
      { numRuns: roundsOf(500) },
    );
  });

  test(`a ${type.name} matches a filter in any case of its names and operators`, () => {
    const cases = fc.constantFrom('toUpperCase' as const, 'toLowerCase' as const);
    fc.assert(
      fc.property(filtersOf(type), cases, (filter, change) => {
        const text = outsideQuotes(printFilter(filter), (part) => part[change]());
        assert.deepEqual(parseFilter(text, type, NO_LIMITS), filter);
      }),
      { numRuns: roundsOf(300) },
    );
  });

  test(`matching a ${type.name} obeys the laws of logic`, () => {
    const filters = filtersOf(type);
    fc.assert(
      fc.property(filters, filters, bodiesOf(type), (left, right, body) => {
        const [first, second] = [matches(left, body), matches(right, body)];
        assert.equal(matches(not(left), body), !first);
        assert.equal(matches(and(left, right), body), first && second);
        assert.equal(matches(or(left, right), body), first || second);
        assert.equal(
          matches(not(and(left, right)), body),
          matches(or(not(left), not(right)), body),
        );
      }),
      { numRuns: roundsOf(500) },
    );
  });

  test(`comparisons of a ${type.name} agree with each other`, () => {
    const paths = pathsOf(type).filter((path) => definitionOf(path) !== null);
    const comparisons = fc.constantFrom(...paths).chain(comparisonsOf);
    fc.assert(
      fc.property(comparisons, bodiesOf(type), (filter, body) => {
        if (filter.value === null) agreesOnNull(filter, body);
        else agrees(filter, body);
      }),
      { numRuns: roundsOf(3_000) },
    );
  });
}

type Comparison = Extract<Filter, { kind: 'compare' }>;

function agreesOnNull(filter: Comparison, body: JsonObject): void {
  assert.notEqual(
    matches({ ...filter, operator: 'eq' }, body),
    matches({ ...filter, operator: 'ne' }, body),
  );
  if (!filter.path.subAttribute && filter.path.attribute.type === 'complex') return;
  const present = matches({ kind: 'present', path: filter.path }, body);
  assert.equal(matches({ ...filter, operator: 'ne' }, body), present);
}

function agrees(filter: Comparison, body: JsonObject): void {
  const by = (operator: Comparison['operator']) => matches({ ...filter, operator }, body);
  const { path } = filter;
  const { type } = definitionOf(path) ?? {};
  const isText = type !== 'boolean' && type !== 'dateTime';
  const isOrdered = type !== 'boolean' && type !== 'binary';
  const hasValue = matches({ ...filter, operator: 'ne', value: null }, body);
  if (!hasValue) assert.equal(by('ne'), true);
  if (!path.attribute.multiValued) assert.equal(by('ne'), !by('eq'));
  if (isOrdered) {
    assert.equal(by('ge'), by('gt') || by('eq'));
    assert.equal(by('le'), by('lt') || by('eq'));
    assert.equal(by('lt') || by('gt') || by('eq'), hasValue);
    if (!path.attribute.multiValued) assert.ok(!(by('lt') && by('gt')));
  }
  if (isText) {
    assert.ok(!by('eq') || (by('sw') && by('ew')));
    assert.ok(!(by('sw') || by('ew')) || by('co'));
  }
  if (path.attribute.multiValued && path.subAttribute && filter.operator !== 'ne') {
    const outer = { ...path, subAttribute: null };
    const within: Filter = { kind: 'valuePath', path: outer, filter };
    assert.equal(matches(within, body), matches(filter, body));
  }
}

test('a text of a user matches eq in every case, and co, sw and ew of its parts', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 8 });
  fc.assert(
    fc.property(text, text, text, (before, value, after) => {
      const holds = (operator: string, part: string, whole: string) =>
        matches(parseFilter(`title ${operator} ${JSON.stringify(part)}`, USER), { title: whole });
      if (`${before}${value}${after}`.includes('\0')) return;
      assert.ok(holds('eq', value, value));
      assert.ok(holds('co', value, before + value + after));
      assert.ok(holds('sw', value, value + after));
      assert.ok(holds('ew', value, before + value));
    }),
    { numRuns: roundsOf(1_000) },
  );
});

/** Texts made of the parts of filters, most of them malformed. */
const fragments = fc
  .array(
    fc.constantFrom(
      ...['userName', 'emails', '.value', 'name.familyName', 'foo', 'urn:x:y', 'not', '[', ']'],
      ...[
        '(',
        ')',
        ' ',
        'eq',
        'and',
        'or',
        'pr',
        'gt',
        '"a"',
        '"',
        '\\',
        'true',
        'null',
        '1e5',
        '-',
      ],
      ...['type', 'value', 'meta.created', '"2011-05-13T04:42:34Z"', '\0', '\ud800', 'é'],
    ),
    { maxLength: 20 },
  )
  .chain((parts) => fc.constantFrom(parts.join(' '), parts.join('')));

test('any text is either a filter or refused as invalidFilter', () => {
  fc.assert(
    fc.property(fc.oneof(fragments, fc.string({ unit: 'binary' })), (text) => {
      for (const type of RESOURCE_TYPES) {
        try {
          assert.deepEqual(
            parseFilter(printFilter(parseFilter(text, type)), type, NO_LIMITS),
            parseFilter(text, type),
          );
        } catch (error) {
          assert.ok(
            error instanceof ProbityError && error.reason === 'invalidFilter',
            String(error),
          );
        }
      }
    }),
    { numRuns: roundsOf(3_000) },
  );
});

test('any text is either a PATCH path or refused as invalidPath or invalidFilter', () => {
  fc.assert(
    fc.property(fc.oneof(fragments, fc.string({ unit: 'binary' })), (text) => {
      for (const type of [USER, GROUP]) {
        try {
          parsePatchPath(text, type);
        } catch (error) {
          assert.ok(error instanceof ProbityError);
          assert.match(String(error.reason), /^invalid(?:Path|Filter)$/);
        }
      }
    }),
    { numRuns: roundsOf(3_000) },
  );
});

const not = (filter: Filter): Filter => ({ kind: 'not', filter });
const and = (...filters: Filter[]): Filter => ({ kind: 'and', filters });
const or = (...filters: Filter[]): Filter => ({ kind: 'or', filters });

/** Changes the parts of a text that are not in quotes. */
function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/("(?:[^"\\]|\\[\s\S])*")/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
