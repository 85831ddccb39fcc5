import assert from 'node:assert/strict';
import test from 'node:test';
import { contextOf, createProbity } from '@probity/core';
import type { IntegrationsSettings } from '../src/index.ts';
import { integrations } from '../src/index.ts';

const authenticate = () => null;

test('an application has integrations in memory', async (t) => {
  const probity = createProbity({
    database: 'memory',
    authenticate,
    capabilities: [integrations({ egress: '127.0.0.1/32:9' })],
  });
  t.after(() => probity.stop());
  await probity.start();
  const { list, incidents, connectItsm } = probity.services.integrations;
  const context = contextOf({ organizationId: 'acme', plan: 'enterprise' });
  const closed = { instance_url: 'https://127.0.0.1:9', client_id: 'a', client_secret: 'b' };
  await assert.rejects(connectItsm(context, closed), { kind: 'validation_failed' });
  assert.deepEqual(await list(context, { limit: 10, offset: 0 }), { items: [], total: 0 });
  await assert.rejects(incidents.create(context, { short_description: 'x' }), {
    kind: 'conflict',
  });
});

test('a wrong setting is named', () => {
  const refused: Array<[settings: object, message: RegExp]> = [
    [{ allow: '' }, /allow is not an option/],
    [{ egress: 'example.com' }, /egress/],
    [{ egress: 1 }, /egress must be a text/],
    [{ authorityUrl: 'http://login.example' }, /authorityUrl must be an https URL/],
    [{ graphUrl: 'https://graph.example?x' }, /graphUrl must be an https URL/],
    [{ ca: 'PEM' }, /ca must be a list/],
    [{ ca: ['PEM'] }, /ca: must have certificates/],
    [{ planOf: 'free' }, /planOf/],
    [{ storage: {} }, /storage/],
    [{ prefix: 'api' }, /prefix/],
  ];
  for (const [settings, message] of refused) {
    assert.throws(() => integrations(settings as IntegrationsSettings), message);
  }
});
