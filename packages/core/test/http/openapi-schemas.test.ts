import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { generalErrors } from '../../src/http/error-format.ts';
import { createComponents, toJsonSchema } from '../../src/http/openapi-schemas.ts';
import { pageQuery, timestamp } from '../../src/http/schemas.ts';

const { toSchema } = createComponents();

test('page parameters are integers with bounds and defaults in documents, and text in requests', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(toSchema(pageQuery, 'input').properties)), {
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  });
  assert.deepEqual(pageQuery.parse({ limit: '5' }), { limit: 5, offset: 0 });
  assert.deepEqual(pageQuery.parse({}), { limit: 50, offset: 0 });
  for (const limit of ['0', '201', '1.5', '', 'x', 5]) {
    assert.equal(pageQuery.safeParse({ limit }).success, false, String(limit));
  }
});

test('a documented time has a format without a pattern, an integer no bounds of the language', () => {
  const schema = z.strictObject({ at: timestamp, on: z.iso.date(), count: z.int() });
  assert.deepEqual(toSchema(schema, 'output').properties, {
    at: { type: 'string', format: 'date-time' },
    on: { type: 'string', format: 'date' },
    count: { type: 'integer' },
  });
});

test('additional members are refused in documented requests, and left open in responses', () => {
  const schema = z.strictObject({ inner: z.strictObject({ a: z.string() }) });
  assert.match(JSON.stringify(toSchema(schema, 'input')), /"additionalProperties":false/);
  assert.doesNotMatch(JSON.stringify(toSchema(schema, 'output')), /additionalProperties/);
});

test('a member that exists for its error message alone is not documented', () => {
  const fixed = z.never('cannot be updated').optional();
  const schema = z.strictObject({
    name: z.string(),
    id: fixed,
    settings: z.strictObject({ fixed }),
  });
  const { properties } = toSchema(schema, 'input') as { properties: Record<string, object> };
  assert.deepEqual(Object.keys(properties), ['name', 'settings']);
  assert.deepEqual(properties.settings, {
    type: 'object',
    properties: {},
    additionalProperties: false,
  });
  assert.equal(schema.safeParse({ name: 'a', id: 'b', settings: {} }).success, false);
});

test('an error beside a declared response has a schema with the codes of its kinds alone', () => {
  const components = createComponents();
  const reference = components.toSchema(
    generalErrors.schemaOf(['not_found', 'conflict']),
    'output',
  );
  assert.deepEqual(reference, { $ref: '#/components/schemas/GeneralConflictOrNotFound' });
  const { schemas } = components.toJson() as { schemas: Record<string, object> };
  const text = JSON.stringify(schemas.GeneralConflictOrNotFound);
  assert.match(text, /"enum":\["RESOURCE_NOT_FOUND","CONFLICT"\]/);
});

test('the schema of received data as a document has its named schemas, and permits further members', () => {
  const line = z.strictObject({ at: timestamp }).meta({ id: 'Line' });
  assert.deepEqual(toJsonSchema(z.strictObject({ lines: z.array(line) })), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { lines: { type: 'array', items: { $ref: '#/$defs/Line' } } },
    required: ['lines'],
    $defs: {
      Line: {
        type: 'object',
        properties: { at: { type: 'string', format: 'date-time' } },
        required: ['at'],
      },
    },
  });
});
