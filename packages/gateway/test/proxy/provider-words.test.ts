import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { chatAnswer, chatEvents, inDeltas, messageEvents, TEXT_BLOCK } from '@probity/test-support';
import { MAIL, PROVIDER_KEY, providerText, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const CALL = { model: 'm', messages: [ASKED] };
const PATH = '/v1/chat/completions';
const MASK = {
  models: (url: string) => providerText(url).replace('models:', 'models:\n  redact: mask'),
};

/** A gateway whose provider answers with an error, or with headers. */
async function startAnswering(
  t: TestLifetime,
  {
    status = 400,
    error = {},
    headers = {},
    ...options
  }: {
    readonly status?: number;
    readonly error?: object;
    readonly headers?: Record<string, string>;
    readonly models?: (url: string) => string;
  },
) {
  const proxy = await startProxy(t, options);
  proxy.model.answer(({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(status === 200 ? chatAnswer('Hello.') : { error }));
    return undefined;
  });
  return proxy;
}

describe('the error of a provider that refuses the gateway', () => {
  for (const [title, keyLine, remedy] of [
    ['names the key to set', '', 'Set'],
    ['names the key to check', '      api_key: ${PROVIDER_KEY}\n', 'Check'],
  ] as const) {
    it(title, async (t) => {
      const models = (url: string) =>
        providerText(url).replace('      api_key: ${PROVIDER_KEY}\n', keyLine);
      const { post } = await startAnswering(t, { status: 401, models });
      const { status, text } = await post(PATH, CALL);
      assert.equal(status, 502);
      const { code, message } = JSON.parse(text).error;
      assert.equal(code, 'upstream_refused');
      assert.ok(
        message.endsWith(
          `${remedy} models.providers.local.api_key in the configuration of the gateway.`,
        ),
      );
    });
  }

  it('says that an address without a path may lack its version', async (t) => {
    const error = { message: 'Invalid URL (POST /chat/completions)' };
    const models = (url: string) => providerText(url.replace(/\/v1$/, ''));
    const { post } = await startAnswering(t, { status: 404, error, models });
    const { status, text } = await post(PATH, CALL);
    assert.equal(status, 404);
    assert.match(text, /check whether models\.providers\.local\.base_url must end in \/v1/);
    const right = await startAnswering(t, { status: 404, error });
    assert.doesNotMatch((await right.post(PATH, CALL)).text, /base_url/);
  });
});

describe('the API key of a provider', () => {
  it('is in no member and no header of an error', async (t) => {
    const said = `Incorrect ${PROVIDER_KEY}`;
    const { post } = await startAnswering(t, {
      error: { message: said, type: PROVIDER_KEY, code: PROVIDER_KEY, param: said },
      headers: { 'x-request-id': PROVIDER_KEY, 'openai-version': PROVIDER_KEY },
    });
    const { status, headers, text } = await post(PATH, CALL);
    assert.equal(status, 400);
    assert.equal(JSON.parse(text).error.message, 'Incorrect [API_KEY]');
    assert.ok(!(text + JSON.stringify([...headers])).includes(PROVIDER_KEY));
  });

  it('is in no path of a member that an error names', async (t) => {
    const { post } = await startAnswering(t, { error: { param: `messages[0].${PROVIDER_KEY}` } });
    const { text } = await post(PATH, CALL);
    assert.equal(JSON.parse(text).error.param, null);
    assert.ok(!text.includes(PROVIDER_KEY));
  });

  it('is in no answer, with escapes or without, and no header of one', async (t) => {
    const { post, model } = await startProxy(t);
    const escaped = JSON.stringify(chatAnswer(`It is ${PROVIDER_KEY}.`)).replaceAll(
      'sk-',
      '\\u0073k-',
    );
    model.answer(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': PROVIDER_KEY });
      response.end(escaped);
      return undefined;
    });
    const { text, headers } = await post(PATH, CALL);
    assert.match(text, /It is \[API_KEY\]/);
    assert.equal(headers.get('x-upstream-request-id'), null);
  });

  it('is in no stream: neither in the text, however it is cut, nor in an error event', async (t) => {
    const { post, model } = await startProxy(t);
    const error = { type: 'error', error: { message: `no ${PROVIDER_KEY}` } };
    const event = `event: error\ndata: ${JSON.stringify(error)}\n\n`;
    const text = `It is ${PROVIDER_KEY} and sk-prov.`;
    for (const length of [1, 4, 1_000]) {
      model.answer(({ path }) =>
        path === '/v1/messages'
          ? [
              ...messageEvents([[TEXT_BLOCK, inDeltas(text, length).map(toTextDelta)]]).slice(
                0,
                -2,
              ),
              event,
            ]
          : [...chatEvents(inDeltas(text, length)).slice(0, -1), event],
      );
      for (const path of [PATH, '/v1/messages']) {
        const body = { ...CALL, max_tokens: 9, stream: true };
        const { text: received } = await post(path, body);
        const events = [...received.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) =>
          JSON.parse(data),
        );
        const passed = events.map(
          ({ choices, delta }) => choices?.[0]?.delta.content ?? delta?.text ?? '',
        );
        assert.equal(passed.join(''), 'It is [API_KEY] and sk-prov.', received);
        assert.equal(events.at(-1).error.message, 'no [API_KEY]');
      }
    }
  });
});

const toTextDelta = ({ content }: { readonly content?: unknown }) => ({
  type: 'text_delta',
  text: content,
});

describe('personal data in what a provider says beside its answers', () => {
  it('errors are scanned as answers are: redacted, or without what they said', async (t) => {
    const error = {
      message: `Unknown user ${SSN}`,
      type: SSN,
      code: MAIL,
      param: 'messages[0].name',
    };
    const masked = await startAnswering(t, { error, ...MASK });
    const redacted = JSON.parse((await masked.post(PATH, CALL)).text).error;
    assert.equal(redacted.message, 'Unknown user [SSN_1]');
    assert.deepEqual(
      [redacted.type, redacted.code, redacted.param],
      ['invalid_request_error', null, 'messages[0].name'],
    );
    const { post, world } = await startAnswering(t, { error });
    const blocked = await post(PATH, CALL);
    assert.equal(blocked.status, 400);
    assert.equal(
      JSON.parse(blocked.text).error.message,
      'The provider of the model answered with status 400.',
    );
    const results = world.records().filter(({ message }) => message === 'scan');
    assert.deepEqual(
      results.map(({ result }) => result),
      ['allowed', 'blocked'],
    );
  });

  it('is in no record: of a refused call there is the status', async (t) => {
    const code = `ssn-${SSN}`;
    const { post, world } = await startAnswering(t, { error: { message: 'no', code } });
    assert.equal((await post(PATH, CALL)).status, 400);
    const call = world.records().find(({ message }) => message === 'model call');
    assert.deepEqual([call?.result, call?.error], ['error', '400']);
    assert.ok(!world.lines.join('').includes(SSN));
  });

  it('headers are passed on in their forms alone', async (t) => {
    const headers = {
      'x-request-id': `${SSN} for ${MAIL}`,
      'openai-version': SSN,
      'openai-processing-ms': '12',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:00Z',
      'anthropic-ratelimit-note': MAIL,
    };
    const { post } = await startAnswering(t, { status: 200, headers });
    const answer = await post(PATH, CALL);
    const all = JSON.stringify([...answer.headers]);
    assert.ok(!all.includes(SSN) && !all.includes(MAIL), all);
    assert.equal(answer.headers.get('openai-processing-ms'), '12');
    assert.equal(answer.headers.get('anthropic-ratelimit-requests-reset'), '2026-01-01T00:00:00Z');
    const known = await startAnswering(t, { status: 200, headers: { 'request-id': 'req_01-a.b' } });
    const { headers: passed } = await known.post(PATH, CALL);
    assert.equal(passed.get('x-upstream-request-id'), 'req_01-a.b');
  });
});
