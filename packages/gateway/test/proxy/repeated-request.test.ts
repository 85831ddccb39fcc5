import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAIL, providerText, SSN, startProxy } from './proxy-world.ts';

const TOOL = {
  type: 'function',
  name: 'find',
  description: 'Finds an order, such as 4711.',
  parameters: { type: 'object', properties: { n: { type: 'integer', maximum: 4155552671 } } },
};
const ASKED = {
  model: 'm',
  input: 'Go on.',
  instructions: 'Answer as the desk in Rome does.',
  tools: [TOOL],
  metadata: { case: 'number 17' },
};
const ANSWER = {
  ...{ id: 'resp_1', object: 'response', created_at: 1_700_000_000, status: 'completed' },
  ...{ model: 'm', output: [], instructions: ASKED.instructions, tool_choice: 'auto' },
  tools: [{ ...TOOL, strict: true }],
  metadata: ASKED.metadata,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  reasoning: { effort: null, summary: null },
  ...{ truncation: 'disabled', user: null, previous_response_id: null, prompt: null },
};
/** The answer with other texts in members that repeat the request. */
const OTHERS = (text: string) => [
  { instructions: text },
  { instructions: [{ role: 'system', content: text }] },
  { metadata: { ...ASKED.metadata, note: text } },
  { tools: [{ ...TOOL, description: text }] },
  { tools: [TOOL, { ...TOOL, parameters: { description: text } }] },
  { prompt: { id: 'p', variables: { who: text } } },
  { text: { format: { type: 'json_schema', name: 'x', schema: { description: text } } } },
  { reasoning: { effort: text } },
  ...['truncation', 'user', 'safety_identifier', 'prompt_cache_key', 'previous_response_id'].map(
    (name) => ({ [name]: text }),
  ),
];
const event = (type: string, response: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, response })}\n\n`;

describe('members of a response that repeat the request', () => {
  it('pass as they came where they have nothing else', async (t) => {
    const { model, post } = await startProxy(t);
    model.answer(() => ANSWER);
    const whole = await post('/v1/responses', ASKED);
    assert.equal(whole.text, JSON.stringify(ANSWER));
    const events = [event('response.created', ANSWER), event('response.completed', ANSWER)];
    model.answer(() => events);
    const streamed = await post('/v1/responses', { ...ASKED, stream: true });
    assert.equal(streamed.text, events.join(''));
  });

  it('the proxy scans repeated members with other texts, whole and streamed', async (t) => {
    const { model, post } = await startProxy(t);
    for (const other of OTHERS(`Her SSN is ${SSN}.`)) {
      model.answer(() => ({ ...ANSWER, ...other }));
      const whole = await post('/v1/responses', ASKED);
      assert.equal(whole.status, 403, JSON.stringify(other));
      model.answer(() => [event('response.completed', { ...ANSWER, ...other })]);
      const streamed = await post('/v1/responses', { ...ASKED, stream: true });
      assert.ok(!streamed.text.includes(SSN), JSON.stringify(other));
    }
  });

  it('the proxy redacts repeated members with other texts', async (t) => {
    const models = (url: string) => `${providerText(url)}  redact: mask\n`;
    const { model, post } = await startProxy(t, { models });
    for (const other of OTHERS(`Her parcel goes to ${MAIL} in Rome.`)) {
      model.answer(() => ({ ...ANSWER, ...other }));
      const { status, text } = await post('/v1/responses', ASKED);
      assert.equal(status, 200, text);
      assert.equal(text, JSON.stringify({ ...ANSWER, ...other }).replace(MAIL, '[EMAIL_1]'));
    }
  });
});
