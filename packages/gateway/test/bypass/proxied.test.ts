import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import type { SentCall } from '../proxy/model-server.ts';
import { providerText, startProxy } from '../proxy/proxy-world.ts';
import { ANSWER_CASES } from './answer-cases.ts';
import { hasArrived } from './arrivals.ts';
import type { Plant } from './encodings.ts';
import { pairsOf, plants } from './encodings.ts';
import { REQUEST_CASES } from './request-cases.ts';

const NO_LIMITS = 'rate_limiting: {enabled: false}\n';
const PLANTS = plants();
const REQUESTS = pairsOf(REQUEST_CASES, PLANTS);
const ANSWERS = pairsOf(ANSWER_CASES, PLANTS);
/** UTF-16 units of a delta, and bytes of a piece of the stream in which it is sent. */
const SPLITS = [
  [1, 1_000],
  [2, 7],
  [3, 1],
  [7, 13],
  [100_000, 3],
] as const;

/** The gateway with all stages, and without any. */
async function startBoth(t: TestLifetime) {
  const open = (url: string) => providerText(url).replace('models:', 'models:\n  media: pass');
  return {
    guarded: await startProxy(t, { text: NO_LIMITS }),
    control: await startProxy(t, { text: `${NO_LIMITS}scanning: {stages: []}\n`, models: open }),
  };
}

type Both = Awaited<ReturnType<typeof startBoth>>;

const nameOf = (path: string, place: string, { name, text }: Plant, more = '') =>
  `${path}, ${place}, ${name}${more}: ${text}`;

describe('nothing gets through the proxy', () => {
  it(`the proxy sends no plant of a request to the provider: ${REQUESTS.length} cases`, async (t) => {
    const { guarded, control } = await startBoth(t);
    for (const [{ path, place, body }, plant] of REQUESTS) {
      const name = nameOf(path, place, plant);
      const sent = plant.json(body(plant));
      const through = async ({ post, model }: Both['guarded']) => {
        model.calls.length = 0;
        const { status, text } = await post(path, sent);
        const calls = model.calls.map((call: SentCall) => call.text).join('\n');
        return {
          status,
          text,
          has: model.calls.some((call) => hasArrived(call.text, plant.needle)),
          calls,
        };
      };
      const plain = await through(control);
      assert.deepEqual([plain.status, plain.has], [200, true], `control: ${name}: ${plain.text}`);
      const { status, text, has, calls } = await through(guarded);
      assert.ok(!has, `${name} was sent: ${calls}`);
      assert.deepEqual([status, calls], [403, ''], `${name}: ${text}`);
    }
  });

  it(`the proxy gives the caller no plant of an answer: ${ANSWERS.length * 2} cases`, async (t) => {
    const { guarded, control } = await startBoth(t);
    for (const [index, [{ path, place, body, whole, events }, plant]] of ANSWERS.entries()) {
      const ask = async ({ post, model }: Both['guarded'], isStream: boolean) => {
        const [length, pieces] = SPLITS[index % SPLITS.length] ?? SPLITS[0];
        model.answer(({ response }) => {
          if (!isStream) return whole(plant);
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const bytes = Buffer.from(events(plant, length).join(''));
          for (let at = 0; at < bytes.length; at += pieces) {
            response.write(bytes.subarray(at, at + pieces));
          }
          response.end();
          return undefined;
        });
        return post(path, { model: 'm', ...body, stream: isStream });
      };
      for (const isStream of [false, true]) {
        const name = nameOf(path, place, plant, isStream ? ', streamed' : '');
        const plain = await ask(control, isStream);
        assert.ok(hasArrived(plain.text, plant.needle), `control: ${name}: ${plain.text}`);
        const { status, text } = await ask(guarded, isStream);
        assert.ok(!hasArrived(text, plant.needle), `${name} was given: ${text}`);
        assert.match(text, /probity_blocked/, `${name}: ${status} ${text}`);
      }
    }
  });

  // Each with the plants of one value.
  for (const [index, mode] of ['mask', 'reversible'].entries()) {
    const half = PLANTS.length / 2;
    const some = pairsOf(REQUEST_CASES, PLANTS.slice(index * half, (index + 1) * half));
    it(`the proxy replaces the personal data of a request, with ${mode}: ${some.length} cases`, async (t) => {
      const models = (url: string) =>
        providerText(url).replace('models:', `models:\n  redact: ${mode}`);
      const { post, model } = await startProxy(t, { text: NO_LIMITS, models });
      let passed = 0;
      for (const [{ path, place, body }, plant] of some) {
        const name = nameOf(path, place, plant);
        model.calls.length = 0;
        const { status, text } = await post(path, plant.json(body(plant)));
        const [call] = model.calls;
        assert.ok(!call || !hasArrived(call.text, plant.needle), `${name}: ${call?.text}`);
        assert.ok(status === 200 || status === 403, `${name}: ${status} ${text}`);
        if (status === 200) passed++;
      }
      // All but parts that have no text, which models.media refuses.
      assert.ok(passed > 0.9 * some.length, `${passed} were sent`);
    });
  }

  it(`the proxy masks the personal data of an answer: ${ANSWERS.length * 2} cases`, async (t) => {
    const models = (url: string) =>
      providerText(url).replace('models:', 'models:\n  redact: reversible');
    const { post, model } = await startProxy(t, { text: NO_LIMITS, models });
    for (const [index, [{ path, place, body, whole, events }, plant]] of ANSWERS.entries()) {
      const [length] = SPLITS[index % SPLITS.length] ?? SPLITS[0];
      for (const isStream of [false, true]) {
        model.answer(() => (isStream ? events(plant, length) : whole(plant)));
        const { text } = await post(path, { model: 'm', ...body, stream: isStream });
        const name = nameOf(path, place, plant, isStream ? ', streamed' : '');
        assert.ok(!hasArrived(text, plant.needle), `${name} was given: ${text}`);
        // Parts that are not read are refused.
        const isRefused = text.includes('models.media refuses');
        assert.ok(isRefused || !text.includes('"error":{'), `${name}: ${text}`);
      }
    }
  });
});
