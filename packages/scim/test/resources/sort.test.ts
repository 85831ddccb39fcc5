import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { AttributePath, JsonObject } from '../../src/index.ts';
import { compareBy, compareText, foldCase, parsePath, USER } from '../../src/index.ts';
import { bodiesOf, pathsOf } from '../filters/filters.ts';

function pathOf(name: string): AttributePath {
  const path = parsePath(name, USER);
  assert.ok(path);
  return path;
}

/** The ids of the resources in an order. */
function sorted(
  resources: readonly JsonObject[],
  name: string,
  order: 'ascending' | 'descending',
): string {
  return [...resources]
    .sort(compareBy(pathOf(name), order))
    .map(({ id }) => id)
    .join('');
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const CASES: ReadonlyArray<readonly [string, string, readonly JsonObject[], string, string]> = [
  [
    'texts without case, equal ones in their former order',
    'userName',
    [
      { id: '1', userName: 'b' },
      { id: '2', userName: 'A' },
      { id: '3', userName: 'B' },
      { id: '4', userName: 'a' },
    ],
    '2413',
    '1324',
  ],
  [
    'texts with case where it matters',
    'externalId',
    [
      { id: '1', externalId: 'a' },
      { id: '2', externalId: 'B' },
    ],
    '21',
    '12',
  ],
  [
    'resources without a value last, or first in descending order',
    'name.familyName',
    [
      { id: '1' },
      { id: '2', name: { familyName: 'B' } },
      { id: '3', name: { givenName: 'C' } },
      { id: '4', name: { familyName: 'A' } },
    ],
    '4213',
    '1324',
  ],
  [
    'several values by the primary one, else the first',
    'emails',
    [
      { id: '1', emails: [{ value: 'a' }, { value: 'd', primary: true }] },
      { id: '2', emails: [{ value: 'c' }, { value: 'a' }] },
      { id: '3', emails: [] },
      { id: '4', emails: [{ value: 'b', primary: true }, { value: 'z' }] },
    ],
    '4213',
    '3124',
  ],
  [
    'times by the instant',
    'meta.created',
    [
      { id: '1', meta: { created: '2026-01-01T02:00:00+02:00' } },
      { id: '2', meta: { created: '2026-01-01T00:00:00.001Z' } },
      { id: '3', meta: { created: '2025-12-31T23:59:59Z' } },
    ],
    '312',
    '213',
  ],
  [
    'booleans with false first',
    'active',
    [
      { id: '1', active: true },
      { id: '2', active: false },
    ],
    '21',
    '12',
  ],
  [
    'attributes of extensions',
    `${ENTERPRISE}:manager`,
    [
      { id: '1', [ENTERPRISE]: { manager: { value: 'b' } } },
      { id: '2', [ENTERPRISE]: { manager: { value: 'a' } } },
      { id: '3' },
    ],
    '213',
    '312',
  ],
  ['nothing by an attribute without one value', 'name', [{ id: '2' }, { id: '1' }], '21', '21'],
];

for (const [name, path, resources, ascending, descending] of CASES) {
  test(`sorting orders ${name}`, () => {
    assert.equal(sorted(resources, path, 'ascending'), ascending);
    assert.equal(sorted(resources, path, 'descending'), descending);
  });
}

test('every attribute orders users consistently, and descending is the reverse', () => {
  const paths = fc.constantFrom(...pathsOf(USER));
  const bodies = bodiesOf(USER);
  fc.assert(
    fc.property(paths, bodies, bodies, bodies, (path, a, b, c) => {
      const compare = compareBy(path, 'ascending');
      const sign = (left: JsonObject, right: JsonObject) => Math.sign(compare(left, right));
      assert.equal(sign(a, a), 0);
      assert.equal(sign(a, b) + sign(b, a), 0);
      if (sign(a, b) <= 0 && sign(b, c) <= 0) assert.ok(sign(a, c) <= 0);
      assert.equal(Math.sign(compareBy(path, 'descending')(a, b)) + sign(a, b), 0);
    }),
    { numRuns: roundsOf(2_000) },
  );
});

test('texts are ordered as the bytes of their UTF-8', () => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      assert.equal(Math.sign(compareText(left, right)), bytes);
    }),
    { numRuns: roundsOf(3_000) },
  );
  assert.ok(compareText('\uffee', '\u{1F600}') < 0);
});

test('folding is independent of what surrounds a letter', () => {
  const text = fc.string({ unit: fc.constantFrom('Σ', 'ς', 'σ', 'A', 'é', 'É', 'İ', ' ', 'ß') });
  fc.assert(
    fc.property(text, text, (left, right) => {
      assert.equal(foldCase(left + right), foldCase(left) + foldCase(right));
      assert.equal(foldCase(foldCase(left)), foldCase(left));
    }),
  );
});
