import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { chatAnswer, temporaryFolder } from '@probity/test-support';
import { sampleCases } from '@probity/test-support/combinations';
import { answered, openExchange, part, post, startEnvoyGateway } from '../ext-proc/envoy.ts';
import type { Message } from '../grpc/client.ts';
import { answersOf, connect } from '../grpc/client.ts';
import { configuration, send, serve } from '../mcp/world.ts';
import { providerText, startProxy } from '../proxy/proxy-world.ts';
import type { GatewayWorld } from '../world.ts';
import { startGateway } from '../world.ts';
import { ANSWER_CASES } from './answer-cases.ts';
import { hasArrived } from './arrivals.ts';
import type { Plant } from './encodings.ts';
import { partsOf } from './encodings.ts';
import { KINDS, PROTECTED, plantsOf, TERM } from './kinds.ts';
import { REQUEST_CASES } from './request-cases.ts';

const NO_LIMITS = 'rate_limiting: {enabled: false}\n';
const NO_STAGES = `${NO_LIMITS}scanning: {stages: []}\n`;
const CHAT = '/v1/chat/completions';

/** Every stage that a file may list, as it lists them. */
const ALL_STAGES = `${NO_LIMITS}scanning:
  stages:
    - name: truth_scan
    - name: pii_scanner
    - name: injection_scanner
    - name: toxicity_scanner
    - {name: contamination_check, threshold: 0.5}
    - name: hallucination_detector
    - name: output_truth_scanner
    - name: secrets_scanner
    - name: terms_scanner
stage_config:
  contamination_check: {protected_texts: ['${PROTECTED}']}
  terms_scanner: {lists: [{terms: ['${TERM}']}]}
`;

const named = (...names: readonly string[]) => KINDS.filter(({ name }) => names.includes(name));
const PLANTS = sampleCases(
  [
    // The kinds that stages block by default, without personal data.
    ...named('prompt injection', 'threat', 'hate').flatMap(plantsOf),
    ...named('cloud key', 'vendor token', 'private key', 'term').flatMap((kind, at) =>
      plantsOf(kind).filter((_, index) => (index + at) % 3 === 0),
    ),
  ],
  4,
);
const CONTRADICTIONS = named('contradiction').flatMap(plantsOf);
const REPEATED = named('protected text').flatMap(plantsOf);
const ASKED = { role: 'user', content: 'When was the tower built?' };

/** Every fifth plant, others at each place. */
const someOf = (plants: readonly Plant[], at: number) =>
  plants.filter((_, index) => (index + at) % 5 === 0);
const countOf = (places: number, plants: readonly Plant[]) =>
  Array.from({ length: places }, (_, at) => someOf(plants, at).length).reduce((a, b) => a + b, 0);

/** The statements that the gateway takes for true. */
function knowledge(t: TestLifetime): { readonly PROBITY_GATEWAY_KNOWLEDGE_FILE: string } {
  const file = join(temporaryFolder(t).path, 'knowledge.json');
  writeFileSync(file, JSON.stringify(['The tower was built in 1889.']));
  return { PROBITY_GATEWAY_KNOWLEDGE_FILE: file };
}

const models = (url: string) => providerText(url).replace('models:', 'models:\n  media: pass');

async function startBoth(t: TestLifetime) {
  return {
    guarded: await startProxy(t, { text: ALL_STAGES, models, env: knowledge(t) }),
    control: await startProxy(t, { text: NO_STAGES, models }),
  };
}

/** Places of requests beside those of personal data: one of each interface, role and way. */
const PLACES =
  /^(?:user part|tool result in JSON|tool arguments|function call|tool input|document|tool description|later input)$/;
const REQUESTS = [
  ...REQUEST_CASES.filter(({ place }) => PLACES.test(place)),
  {
    path: '/openai/deployments/m/chat/completions?api-version=2025-01-31',
    place: 'Azure',
    body: ({ text }: Plant) => ({ messages: [{ role: 'user', content: text }] }),
  },
  {
    path: '/openai/deployments/m/embeddings?api-version=2025-01-31',
    place: 'Azure',
    body: ({ text }: Plant) => ({ input: [text] }),
  },
];
const ANSWERS = ANSWER_CASES.filter(({ place }) =>
  /^(?:content|text|tool arguments|function arguments|tool input)$/.test(place),
);
const LEAST_ANSWERS = 2 * countOf(ANSWERS.length, [...PLANTS, ...REPEATED]);
const isText = (place: string) => place === 'content' || place === 'text';

describe('no attack, secret, term, protected text or contradiction gets through a door of the gateway', () => {
  it(`of a request to a model: ${countOf(REQUESTS.length, PLANTS)} cases`, async (t) => {
    const { guarded, control } = await startBoth(t);
    for (const [at, { path, place, body }] of REQUESTS.entries()) {
      for (const plant of someOf(PLANTS, at)) {
        const name = `${path}, ${place}, ${plant.name}: ${plant.text}`;
        const sent = plant.json(body(plant));
        await control.post(path, sent);
        assert.ok(hasArrived(control.model.calls.at(-1)?.text ?? '', plant.needle), name);
        const { status, text } = await guarded.post(path, sent);
        assert.deepEqual([status, guarded.model.calls.length], [403, 0], `${name}: ${text}`);
      }
    }
  });

  it(`an answer lets none through, as JSON and streamed: ${LEAST_ANSWERS} cases and more`, async (t) => {
    const { guarded, control } = await startBoth(t);
    let cases = 0;
    for (const [at, { path, place, whole, events }] of ANSWERS.entries()) {
      const plants = [
        ...someOf([...PLANTS, ...REPEATED], at),
        ...(isText(place) ? CONTRADICTIONS : []),
      ];
      for (const [index, plant] of plants.entries()) {
        for (const stream of [false, true]) {
          const name = `${path}, ${place}, ${plant.name}, ${stream}: ${plant.text}`;
          const body = { model: 'm', max_tokens: 9, messages: [ASKED], stream };
          const given = path === '/v1/responses' ? { ...body, input: ASKED.content } : body;
          for (const { model } of [guarded, control]) {
            model.answer(() => (stream ? events(plant, [1, 5, 99][index % 3] ?? 1) : whole(plant)));
          }
          const plain = await control.post(path, given);
          assert.ok(hasArrived(plain.text, plant.needle), `control: ${name}: ${plain.text}`);
          const { text } = await guarded.post(path, given);
          assert.ok(!hasArrived(text, plant.needle), `${name}: ${text}`);
          assert.match(text, /probity_blocked/, `${name}: ${text}`);
          cases++;
        }
      }
    }
    assert.ok(cases >= LEAST_ANSWERS, `${cases} cases`);
  });

  it(`of a scan over HTTP and over gRPC: ${3 * (PLANTS.length + REPEATED.length)} cases`, async (t) => {
    const guarded = await startGateway(t, ALL_STAGES);
    const control = await startGateway(t, NO_STAGES);
    const clients = { guarded: connect(t, guarded), control: connect(t, control) };
    for (const [at, plant] of [...PLANTS, ...REPEATED].entries()) {
      const { name, text } = plant;
      const fields = [
        { response: text },
        { prompt: text, response: 'Hi.' },
        { context: [text], response: 'Hi.' },
      ];
      const asked = [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: text },
      ];
      const scan = REPEATED.includes(plant) ? fields[0] : fields[at % fields.length];
      for (const body of [scan ?? {}, { messages: asked }]) {
        assert.equal((await control.scan(body)).status, 200, name);
        const answer = await guarded.scan(body);
        assert.equal(answer.status, 403, `${name}: ${text}`);
        assert.ok(!hasArrived(JSON.stringify(answer.body), plant.needle), name);
      }
      assert.equal((await clients.control.scan(scan ?? {})).verdict, 'VERDICT_ALLOWED', name);
      const { verdict } = await clients.guarded.scan(scan ?? {});
      assert.equal(verdict, 'VERDICT_BLOCKED', `${name}: ${text}`);
    }
  });

  it(`of a tool of an MCP server, both ways: ${2 * PLANTS.length + REPEATED.length} cases`, async (t) => {
    let result = 'Fine.';
    const backend = await serve(t, (_request, response, body) => {
      const { id } = JSON.parse(body) as { id: number };
      const content = [{ type: 'text', text: result }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content } }));
    });
    const guarded = await startGateway(t, configuration(backend.url) + ALL_STAGES);
    const control = await startGateway(t, configuration(backend.url) + NO_STAGES);
    const call = async (gateway: GatewayWorld, text: string) => {
      const params = { name: 'f', arguments: { a: [text] } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return (await send(gateway, message)).text();
    };
    for (const plant of [...PLANTS, ...REPEATED]) {
      const { name, text, needle } = plant;
      if (!REPEATED.includes(plant)) {
        result = 'Fine.';
        await call(control, text);
        const before = backend.received.length;
        assert.ok(hasArrived(backend.received.at(-1)?.body ?? '', needle), `control: ${name}`);
        assert.match(await call(guarded, text), /-32001/, `${name}: ${text}`);
        assert.equal(backend.received.length, before, name);
      }
      result = text;
      assert.ok(hasArrived(await call(control, 'Hi.'), needle), `control: ${name}`);
      const answer = await call(guarded, 'Hi.');
      assert.match(answer, /-32001/, `${name}: ${answer}`);
      assert.ok(!hasArrived(answer, needle), name);
    }
  });

  it(`of a call that Envoy sends, both ways: ${2 * PLANTS.length + REPEATED.length} cases`, async (t) => {
    const worlds = {
      guarded: await startEnvoyGateway(t, ALL_STAGES),
      control: await startGateway(t, NO_STAGES),
    };
    const exchange = async (world: GatewayWorld, asked: string, answer: string) => {
      const opened = openExchange(t, world);
      await opened.ask(post(CHAT));
      const messages = [{ role: 'user', content: asked }];
      const request = await opened.ask(part('request', { model: 'm', messages }));
      if (request.status !== 0) {
        opened.end();
        return { request, response: null };
      }
      await opened.ask(answered('application/json'));
      const response = await opened.ask(part('response', chatAnswer(answer)));
      opened.end();
      return { request, response };
    };
    for (const plant of [...PLANTS, ...REPEATED]) {
      const { name, text, needle } = plant;
      const plain = await exchange(worlds.control, text, text);
      // A body of null goes on as it is.
      assert.deepEqual([plain.request.body, plain.response?.body], [null, null], name);
      if (!REPEATED.includes(plant)) {
        const { request } = await exchange(worlds.guarded, text, 'Fine.');
        assert.deepEqual([request.kind, request.status], ['immediate_response', 403], name);
      }
      const { response } = await exchange(worlds.guarded, 'Hi.', text);
      assert.deepEqual([response?.kind, response?.status], ['immediate_response', 403], name);
      assert.ok(!hasArrived(response?.body ?? '', needle), name);
    }
  });

  it(`of a text that comes over gRPC in parts: ${2 * PLANTS.length + CONTRADICTIONS.length + REPEATED.length} cases`, async (t) => {
    const guarded = connect(t, await startGateway(t, ALL_STAGES, { env: knowledge(t) }));
    const control = connect(t, await startGateway(t, NO_STAGES));
    const filler =
      'The parcel left the warehouse this morning and will arrive in two days. '.repeat(8);
    const targets = ['TARGET_RESPONSE', 'TARGET_PROMPT'];
    const cases = [
      ...targets.flatMap((target) => PLANTS.map((plant) => ({ plant, target }))),
      ...[...CONTRADICTIONS, ...REPEATED].map((plant) => ({ plant, target: 'TARGET_RESPONSE' })),
    ];
    for (const [index, { plant, target }] of cases.entries()) {
      const text = `${filler}${plant.text} ${filler}`;
      const size = [3, 17, 64, 256][index % 4] ?? 3;
      const released = async (client: typeof guarded) => {
        const stream = client.stream();
        const answers = answersOf(stream);
        stream.write({ open: { request_id: 'text', target } });
        for (const [at, part] of partsOf(text, size).entries()) {
          stream.write({ chunk: { request_id: 'text', sequence: at + 1, text: part } });
        }
        stream.write({ close: { request_id: 'text' } });
        stream.end();
        let all = '';
        for (const { release } of await answers) {
          all += (release as Message | undefined)?.text ?? '';
        }
        return all;
      };
      const name = `${target}, ${plant.name}, ${size}: ${plant.text}`;
      assert.equal(await released(control), text, `control: ${name}`);
      const given = await released(guarded);
      assert.ok(!given.includes(plant.needle) && text.startsWith(given), `${name}: ${given}`);
    }
  });
});
