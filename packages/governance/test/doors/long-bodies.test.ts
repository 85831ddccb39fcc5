import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInTurns } from '@probity/pipeline/messages';
import { countTurns } from '@probity/test-support';
import { agentgatewayRequest } from '../../src/doors/agentgateway.ts';
import { litellm } from '../../src/doors/litellm.ts';
import { portkey } from '../../src/doors/portkey.ts';
import { responseSlots, withMessages } from '../../src/doors/slots.ts';

/** 16 MiB of messages. */
const COUNT = 160_000;
const TEXT = 'Please compare the two offers and tell me which one is better for us. ';
const messages = Array.from({ length: COUNT }, (_, at) => ({ role: 'user', content: TEXT + at }));
const choices = messages.map((message, index) => ({ index, message }));
const SIDE = { eventType: 'beforeRequestHook' as const };
const CALLS = { call_id: Array.from({ length: COUNT }, (_, at) => `call_${at}`) };

for (const [name, read] of Object.entries({
  'Portkey, messages': () =>
    portkey.read({ ...SIDE, request: { json: { messages }, text: 'another text' } }),
  'Portkey, a member': () => portkey.read({ ...SIDE, request: { json: CALLS } }),
  LiteLLM: () => litellm.read({ input_type: 'request', structured_messages: messages }),
  agentgateway: () => agentgatewayRequest.read({ body: { messages } }),
  'the choices of an answer': () => responseSlots({ choices }),
})) {
  test(`a body of 16 MiB is read in many turns of the event loop: ${name}`, async () => {
    const turns = await countTurns(() => runInTurns<unknown>(read()));
    assert.ok(turns >= 3, `${turns} turns`);
  });
}

test('a redacted body of 16 MiB is put together in many turns of the event loop', async () => {
  const message = { role: 'assistant', content: 'x' };
  const slots = choices.map((_, index) => ({
    path: ['choices', index, 'message'],
    message: {},
    back: () => message,
  }));
  const masked = choices.map(() => message);
  const turns = await countTurns(() => runInTurns(withMessages({ choices }, slots, masked)));
  assert.ok(turns >= 3, `${turns} turns`);
});
