import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '@probity/core/testing';
import { MICROSOFT_CHANNEL } from '@probity/test-support';
import { createWorld, faultsOf, serve } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: assertions read bodies of many shapes
async function resultsOf(call: Call<any>, id: string) {
  const answer = await call('POST', `/integrations/${id}/test`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { status, checks } = answer.body.data;
  return [status, ...checks.map((each: { step: string; result: string }) => each.result)];
}

test('the test of ServiceNow gets a token and reads incidents', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id } = await world.connectItsm();
  assert.deepEqual(await resultsOf(call, id), ['connected', 'passed', 'passed']);
  world.serviceNow.hasRole = false;
  assert.deepEqual(await resultsOf(call, id), ['failing', 'passed', 'failed']);
  world.serviceNow.clients.clear();
  assert.deepEqual(await resultsOf(call, id), ['failing', 'failed', 'skipped']);
  assert.equal((await call('GET', `/integrations/${id}`)).body.data.status, 'failing');
  world.serviceNow.clients.set('probity', 'itsm-S3cret/+=&');
  world.serviceNow.hasRole = true;
  assert.deepEqual(await resultsOf(call, id), ['connected', 'passed', 'passed']);
  assert.equal((await call('GET', `/integrations/${id}`)).body.data.status, 'connected');
  assert.equal(world.serviceNow.incidents.length, 0);
  const actions = (await world.audit()).map(({ action }) => action);
  assert.equal(actions.filter((action) => action === 'integration.tested').length, 4);
  assert.deepEqual(faultsOf(world), []);
});

test('the test of Teams posts where alerts are posted', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id } = await world.connectChatops();
  assert.deepEqual(await resultsOf(call, id), ['connected', 'passed', 'skipped']);
  const routing = { severities: ['critical'], ...MICROSOFT_CHANNEL };
  await call('PATCH', `/integrations/${id}`, { routing });
  assert.deepEqual(await resultsOf(call, id), ['connected', 'passed', 'passed']);
  assert.equal(world.microsoft.messages.length, 1);
  world.microsoft.mayPost = false;
  assert.deepEqual(await resultsOf(call, id), ['failing', 'passed', 'failed']);
  assert.deepEqual(faultsOf(world), []);
});
