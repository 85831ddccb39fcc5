import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { call, serve } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: the changes of the document state its shape
type Document = any;

interface Comparison {
  breakingChanges(before: object, after: object, now: Date): string[];
}

const NOW = new Date('2027-06-01T00:00:00Z');
let document: Document;
let breakingChanges: Comparison['breakingChanges'];

before(async (t) => {
  const script = new URL('../../../scripts/support/breaking-changes.mjs', import.meta.url);
  ({ breakingChanges } = (await import(script.href)) as Comparison);
  const { url } = await serve(t as never, `sqlite:${temporaryFolder(t as never).path}/probity.db`);
  document = (await call(`${url}/openapi.json`, null)).body;
});

const ALERTS = '/api/v1/alerts';

function changesOf(change: (after: Document) => void, from: Document = document): string[] {
  const after = structuredClone(from);
  change(after);
  return breakingChanges(from, after, NOW);
}

function deprecated(sunset: string): Document {
  const from = structuredClone(document);
  Object.assign(from.paths[ALERTS].get, { deprecated: true, 'x-sunset': sunset });
  return from;
}

const schemaOf = (after: Document, name: string) => after.components.schemas[name];

test('additions to the API break nothing', () => {
  assert.deepEqual(
    changesOf(() => undefined),
    [],
  );
  const added = changesOf((after) => {
    after.paths['/api/v1/alerts/summary'] = structuredClone(after.paths[ALERTS]);
    schemaOf(after, 'Alert').properties.owner = { type: 'string' };
    schemaOf(after, 'Alert').required.push('owner');
    schemaOf(after, 'Alert').properties.severity.enum.push('urgent');
    schemaOf(after, 'ScanRequest').properties.note = { type: 'string' };
    after.paths[ALERTS].get.parameters.push({
      name: 'owner',
      in: 'query',
      schema: { type: 'string' },
    });
    after.paths[ALERTS].get.summary = 'Other words';
  });
  assert.deepEqual(added, []);
});

const BREAKING: ReadonlyArray<[string, (after: Document) => void]> = [
  ['an operation goes', (after) => delete after.paths[ALERTS].get],
  ['a path goes', (after) => delete after.paths[ALERTS]],
  ['a member of a response goes', (after) => delete schemaOf(after, 'Alert').properties.severity],
  [
    'a member of a response may be missing',
    (after) => {
      schemaOf(after, 'Alert').required = ['id'];
    },
  ],
  [
    'a member of a response has another type',
    (after) => {
      schemaOf(after, 'Alert').properties.id = { type: 'integer' };
    },
  ],
  [
    'a request needs another member',
    (after) => schemaOf(after, 'NewWebhook').required.push('active'),
  ],
  [
    'a query needs another parameter',
    (after) =>
      after.paths[ALERTS].get.parameters.push({
        name: 'owner',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
  ],
  [
    'another authentication is needed',
    (after) => {
      after.paths[ALERTS].get.security = [{ cookie: [] }];
    },
  ],
  [
    'a parameter takes fewer values',
    (after) => {
      const { parameters } = after.paths[ALERTS].get;
      parameters.find(({ name }: { name: string }) => name === 'limit').schema.maximum = 100;
    },
  ],
  [
    'an event lacks a member',
    (after) => delete schemaOf(after, 'AlertCreatedEvent').properties.data.properties.severity,
  ],
];

for (const [name, change] of BREAKING) {
  test(`programs are broken when ${name}`, () => {
    assert.notDeepEqual(changesOf(change), []);
  });
}

test('a deprecated operation may go after its sunset, not before', () => {
  const remove = (after: Document) => delete after.paths[ALERTS].get;
  assert.deepEqual(changesOf(remove, deprecated('2027-05-31')), []);
  assert.equal(changesOf(remove, deprecated('2027-06-02')).length, 1);
});
