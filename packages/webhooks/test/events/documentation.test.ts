import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenApiDocument, generalErrors } from '@probity/core/koa';
import { createWebhookDocumentation } from '../../src/documentation.ts';
import type { EventCatalog } from '../../src/index.ts';
import { PROBITY_EVENTS } from '../../src/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
function documentOf(catalog?: EventCatalog): any {
  const documentation = catalog && createWebhookDocumentation(catalog);
  const group = { prefix: '', errorFormat: generalErrors, endpoints: [] };
  const groups = [documentation ? { ...group, documentation } : group];
  return createOpenApiDocument({ title: 'Test', version: '1.0.0' }, groups);
}

test('the OpenAPI document describes the request of every event type of the catalog', () => {
  const { webhooks, components } = documentOf(PROBITY_EVENTS);
  assert.deepEqual(Object.keys(webhooks), Object.keys(PROBITY_EVENTS));
  const { post } = webhooks['alert.created'];
  assert.equal(post.operationId, 'onAlertCreated');
  const { schema, example } = post.requestBody.content['application/json'];
  assert.deepEqual(schema, { $ref: '#/components/schemas/AlertCreatedEvent' });
  const { properties, required } = components.schemas.AlertCreatedEvent;
  assert.deepEqual(properties.type, { type: 'string', const: 'alert.created' });
  assert.deepEqual(Object.keys(properties.data.properties), Object.keys(example.data));
  assert.deepEqual(required, ['id', 'type', 'timestamp', 'data']);
  assert.equal(post.parameters.length, 5);
  const { WebhookTest: test, XServiceSignature: signature } = components.parameters;
  assert.deepEqual([signature.name, signature.required], ['X-Service-Signature', true]);
  assert.deepEqual([test.name, test.required], ['webhook-test', false]);
});

test('the schema of every event that Probity emits fits its example', () => {
  for (const [type, { schema, example }] of Object.entries(PROBITY_EVENTS)) {
    assert.deepEqual(schema.parse(example), example, type);
  }
});

test('an event type of the host without a schema is documented as any object', () => {
  const shipped = { description: 'An order was sent.', example: { orderId: 'ord_1' } };
  const { components } = documentOf({ 'order.shipped': shipped });
  const { data } = components.schemas.OrderShippedEvent.properties;
  assert.deepEqual([data.type, data.properties], ['object', undefined]);
});

test('event types that differ in their separators alone are different schemas', () => {
  const event = { description: 'A line was sent.', example: {} };
  const { components } = documentOf({ 'order.line_sent': event, 'order_line.sent': event });
  const names = ['OrderLine_sentEvent', 'Order_lineSentEvent'];
  for (const name of names) assert.ok(components.schemas[name], name);
});

test('a document without webhooks has no section for them', () => {
  assert.equal('webhooks' in documentOf(), false);
});
