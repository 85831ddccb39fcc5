import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbityError } from '@probity/core';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { parsePatch } from '../../src/patch/parse.ts';
import { toUserInput } from '../../src/resources/input.ts';
import { GROUP, USER } from '../../src/schemas/resource-types.ts';
import type { JsonObject } from '../../src/schemas/types.ts';
import { ENTERPRISE, patched, SERVICE } from './people.ts';
import type { Element, Operation, Target } from './reference.ts';
import { interpret } from './reference.ts';

/** Few words, so that operations meet the same values, in different letter case too. */
const word = fc.constantFrom('a', 'b', 'B', 'c');
const kind = fc.constantFrom('work', 'home');
const nothing = fc.constantFrom<'' | null>('', null);

const element: fc.Arbitrary<Element> = fc.record(
  { value: word, type: kind, primary: fc.boolean(), display: word },
  { requiredKeys: [] },
);
const address: fc.Arbitrary<Element> = fc.record(
  { locality: word, type: kind, primary: fc.boolean() },
  { requiredKeys: [] },
);

/** At most one primary value, as a valid request has. */
function list(of: fc.Arbitrary<Element>): fc.Arbitrary<Element[]> {
  return fc.array(of, { maxLength: 4 }).map((elements) => {
    const first = elements.findIndex(({ primary }) => primary === true);
    return elements.map((one, i) =>
      i !== first && one.primary ? { ...one, primary: false } : one,
    );
  });
}

const name = fc.record({ givenName: word, familyName: word }, { requiredKeys: [] });
const roles = fc.array(word, { maxLength: 3 });

const resources: fc.Arbitrary<Element> = fc.record(
  {
    title: word,
    name,
    phoneNumbers: list(element),
    addresses: list(address),
    [ENTERPRISE]: fc.record({ department: word, division: word }, { requiredKeys: [] }),
    [SERVICE]: fc.record({ roles }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

interface Shape {
  readonly target: Omit<Target, 'sub' | 'filter'>;
  readonly whole: fc.Arbitrary<unknown>;
  /** A value without the array around it. */
  readonly one: fc.Arbitrary<unknown>;
  readonly subs: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

function shape(
  kindOf: Target['kind'],
  attribute: string,
  {
    whole,
    one = whole,
    subs = {},
    extension = null,
  }: Partial<Shape> & { whole: fc.Arbitrary<unknown>; extension?: string | null },
): Shape {
  return { target: { kind: kindOf, attribute, extension }, whole, one, subs };
}

const elementSubs = { value: word, type: kind, primary: fc.boolean(), display: word };
const shapes: readonly Shape[] = [
  shape('simple', 'title', { whole: word }),
  shape('simple', 'department', { whole: word, extension: ENTERPRISE }),
  shape('complex', 'name', { whole: name, subs: { givenName: word, familyName: word } }),
  shape('elements', 'phoneNumbers', { whole: list(element), one: element, subs: elementSubs }),
  shape('elements', 'addresses', {
    whole: list(address),
    one: address,
    subs: { locality: word, type: kind, primary: fc.boolean() },
  }),
  shape('texts', 'roles', { whole: roles, one: word, extension: SERVICE }),
];

const operators = fc.constantFrom<'eq' | 'ne'>('eq', 'eq', 'eq', 'ne');

function filters({ target, subs }: Shape): fc.Arbitrary<Target['filter']> {
  if (target.kind === 'simple' || target.kind === 'complex') return fc.constant(null);
  const names = target.kind === 'texts' ? { value: word } : subs;
  const terms = Object.entries(names).map(([sub, value]) =>
    fc.record({ sub: fc.constant(sub), operator: operators, value: value as fc.Arbitrary<string> }),
  );
  return fc.option(fc.array(fc.oneof(...terms), { minLength: 1, maxLength: 2 }), { nil: null });
}

function subOf({ subs }: Shape): fc.Arbitrary<string | null> {
  const names = Object.keys(subs);
  return names.length === 0 ? fc.constant(null) : fc.constantFrom(null, ...names);
}

function operationsOf(one: Shape): fc.Arbitrary<Operation> {
  const op = fc.constantFrom<'add' | 'replace' | 'remove'>('add', 'replace', 'remove');
  return fc.tuple(op, filters(one), subOf(one)).chain(([operation, filter, sub]) => {
    const { target } = one;
    const named = { ...target, filter, sub };
    const assigned = sub ? (one.subs[sub] ?? word) : filter ? one.one : one.whole;
    const isRemovalByValue =
      !filter && !sub && (target.kind === 'elements' || target.kind === 'texts');
    const removed = isRemovalByValue
      ? fc.oneof(
          fc.constant(undefined),
          one.whole.filter((list) => (list as unknown[]).length > 0),
        )
      : fc.constant(undefined);
    const value =
      operation === 'remove' ? removed : fc.oneof({ weight: 6, arbitrary: assigned }, nothing);
    return value.map((given) => ({ op: operation, target: named, value: given }) as Operation);
  });
}

const operations = fc.array(fc.oneof(...shapes.map(operationsOf)), { minLength: 1, maxLength: 6 });

/** How a request spells an operation. */
const spelling = fc.record({
  letters: fc.constantFrom<'as defined' | 'small' | 'capital'>('as defined', 'small', 'capital'),
  isWithoutPath: fc.boolean(),
  hasCoreUrn: fc.boolean(),
});
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never;

function toRequest(
  { op, target, value }: Operation,
  { letters, isWithoutPath, hasCoreUrn }: Spelling,
) {
  const spell = (text: string) => {
    if (letters === 'as defined') return text;
    return letters === 'small' ? text.toLowerCase() : text.toUpperCase();
  };
  const core = hasCoreUrn ? 'urn:ietf:params:scim:schemas:core:2.0:User:' : '';
  const urn = target.extension === null ? core : `${target.extension}:`;
  const terms = target.filter?.map(
    (term) => `${spell(term.sub)} ${spell(term.operator)} ${JSON.stringify(term.value)}`,
  );
  const path =
    spell(urn + target.attribute) +
    (terms ? `[${terms.join(spell(' and '))}]` : '') +
    (target.sub ? `.${spell(target.sub)}` : '');
  const operation = letters === 'capital' ? `${op[0]?.toUpperCase()}${op.slice(1)}` : op;
  if (isWithoutPath && op !== 'remove') return { op: operation, value: { [path]: value } };
  return { op: operation, path, ...(value === undefined ? {} : { value }) };
}

const EMAILS = [{ value: 'ann@example.com', primary: true }];

test('PATCH of any user by any valid operations equals a simple interpreter', async () => {
  const counts = { applied: 0, refused: 0 };
  const cases = fc.tuple(resources, operations, fc.array(spelling, { minLength: 6, maxLength: 6 }));
  fc.assert(
    fc.property(cases, ([resource, list, spellings]) => {
      const user = {
        ...toUserInput({ ...resource, userName: 'ann@example.com', emails: EMAILS }),
        active: true,
      };
      const expected = interpret(user.attributes as Element, list);
      const requests = list.map((one, i) => toRequest(one, spellings[i] as Spelling));
      counts[expected === 'refused' ? 'refused' : 'applied'] += 1;
      assert.deepEqual(
        resultOf(() => patched(user, ...requests).attributes),
        expected,
      );
    }),
    { numRuns: roundsOf(2_000) },
  );
  const { applied, refused } = counts;
  const isVaried = applied > roundsOf(800) && refused > roundsOf(100);
  assert.ok(isVaried, JSON.stringify(counts));
});

function resultOf(work: () => JsonObject): JsonObject | 'refused' {
  try {
    return work();
  } catch (error) {
    assert.ok(
      error instanceof ProbityError && /noTarget|invalidValue/.test(String(error.reason)),
      String(error),
    );
    return 'refused';
  }
}

test('a PATCH of any JSON is applied or refused by an error of SCIM', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const operation = fc.record(
    {
      op: fc.oneof(json, fc.constantFrom('add', 'Replace', 'remove')),
      path: fc.oneof(
        json,
        fc.constantFrom(
          'emails',
          'members',
          'name.givenName',
          'emails[type eq "a"]',
          ENTERPRISE,
          '[',
          'a[b',
          'x.',
        ),
      ),
      value: fc.oneof(
        json,
        fc.dictionary(fc.constantFrom('emails', 'NAME', 'active', 'members', ENTERPRISE), json),
      ),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(json, fc.record({ Operations: fc.oneof(json, fc.array(operation)) }));
  fc.assert(
    fc.property(bodies, fc.constantFrom(USER, GROUP), (body, resourceType) => {
      try {
        parsePatch(body, resourceType);
      } catch (error) {
        assert.ok(error instanceof ProbityError && error.reason !== undefined, String(error));
      }
    }),
    { numRuns: roundsOf(2_000) },
  );
});
