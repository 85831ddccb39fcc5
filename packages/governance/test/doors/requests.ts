/** Requests in the forms that the gateways' documentation and sources describe, with texts of our own. */

/** LiteLLM before a call. */
export const litellmBefore = (texts: readonly string[], roles?: readonly string[]) => ({
  input_type: 'request',
  litellm_call_id: 'b980db26-9512-45cc-b1da-c511a363b83f',
  litellm_trace_id: 'trace-7',
  structured_messages: roles
    ? texts.map((content, index) => ({ role: roles[index], content }))
    : null,
  images: null,
  tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
  texts,
  request_data: {
    user_api_key_hash: 'c0ffee',
    user_api_key_alias: 'support',
    user_api_key_user_id: 'user-1',
    user_api_key_team_id: null,
  },
  request_headers: { 'user-agent': '[present]' },
  litellm_version: '1.90.0',
  additional_provider_specific_params: { language: 'en' },
});

/** LiteLLM after a call. */
export const litellmAfter = (texts: readonly string[], toolArguments?: string) => ({
  input_type: 'response',
  litellm_call_id: 'b980db26-9512-45cc-b1da-c511a363b83f',
  litellm_trace_id: null,
  structured_messages: null,
  images: null,
  tools: null,
  tool_calls: toolArguments
    ? [{ id: 'call_1', type: 'function', function: { name: 'mail', arguments: toolArguments } }]
    : null,
  texts,
  request_data: {},
  additional_provider_specific_params: {},
});

/** agentgateway before a call. */
export const agentgatewayMessages = (...messages: ReadonlyArray<readonly [string, string]>) => ({
  body: { messages: messages.map(([role, content]) => ({ role, content })) },
});

/** agentgateway after a call. */
export const agentgatewayAnswers = (...contents: readonly string[]) => ({
  body: { choices: contents.map((content) => ({ message: { role: 'assistant', content } })) },
});

const portkeySides = {
  provider: 'openai',
  requestType: 'chatComplete',
  metadata: { _user: 'user-1' },
};

/** Portkey before a call. */
export const portkeyBefore = (content: unknown, text: string) => ({
  ...portkeySides,
  request: {
    json: {
      stream: false,
      messages: [
        { role: 'system', content: 'You are a helpful assistant' },
        { role: 'user', content },
      ],
      max_tokens: 20,
      model: 'gpt-4o-mini',
    },
    text,
    isStreamingRequest: false,
    isTransformed: false,
  },
  response: { json: {}, text: '', statusCode: null, isTransformed: false },
  eventType: 'beforeRequestHook',
});

/** Portkey after a call. */
export const portkeyAfter = (content: string, isStreamed = false) => ({
  ...portkeySides,
  request: { json: { messages: [] }, text: 'Say hi', isStreamingRequest: isStreamed },
  response: {
    json: isStreamed
      ? {}
      : {
          id: 'chatcmpl-1',
          object: 'chat.completion',
          model: 'gpt-4o-mini',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content, refusal: null },
              finish_reason: 'stop',
            },
          ],
          usage: { prompt_tokens: 18, completion_tokens: 10, total_tokens: 28 },
        },
    text: content,
    statusCode: 200,
    isTransformed: false,
  },
  eventType: 'afterRequestHook',
});
