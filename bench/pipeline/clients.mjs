// npm run clients -w @probity/bench [-- --rounds N] [--calls N] [--prompt N]... [--answer N] [--against DIST]
// What a call through a guarded client costs beside one scan of its prompt and answer together: CPU time of rounds that
// take turns, without what the same call costs unguarded, as a multiple of that scan; the least, and the median of the
// rounds. No prompt comes twice, as a guard remembers the turns that it has seen. `--against` is another build's `dist`,
// which takes turns as well.
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createRealTexts } from './real-texts.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    calls: { type: 'string', default: '40' },
    kind: { type: 'string', default: 'prose' },
    prompt: { type: 'string', multiple: true, default: ['512', '4096'] },
    answer: { type: 'string', default: '256' },
    against: { type: 'string' },
  },
});
const ROUNDS = Number(options.rounds);
const CALLS = Number(options.calls);
const ANSWER = Number(options.answer);
/** UTF-16 units of a part of a streamed answer. */
const PART = 16;
const here = new URL('../../packages/pipeline/dist/', import.meta.url).href;
const builds = [await load(here)];
if (options.against !== undefined) {
  builds.push(await load(`${pathToFileURL(options.against).href}/`));
}
const realTexts = createRealTexts();
const encoder = new TextEncoder();

const CLIENTS = {
  'fetch, chat completions': {
    guard: ({ createGuardedFetch }, guard) =>
      fetchWith((fetch) => createGuardedFetch({ guard, fetch })),
    bare: () => fetchWith((fetch) => fetch),
  },
  'AI SDK': {
    guard: ({ guardMiddleware }, guard) => generateWith(guardMiddleware({ guard })),
    bare: () =>
      generateWith({
        transformParams: async ({ params }) => params,
        wrapGenerate: ({ doGenerate }) => doGenerate(),
        wrapStream: ({ doStream }) => doStream(),
      }),
  },
  LangChain: {
    guard: ({ guardChatModel }, guard) => chatWith((model) => guardChatModel(model, { guard })),
    bare: () => chatWith((model) => model),
  },
};

console.log(`| ${options.kind} | prompt | scan, us | whole | streamed |`);
console.log('| --- | --- | --- | --- | --- |');
for (const length of options.prompt.map(Number)) {
  const prompts = realTexts(length, CALLS).get(options.kind);
  const answers = realTexts(ANSWER, CALLS).get(options.kind);
  for (const [name, client] of Object.entries(CLIENTS)) {
    const rows = await measure(client, prompts, answers);
    rows.forEach((row, at) => {
      const label = at === 0 ? name : `${name}, against`;
      console.log(`| ${[label, length, ...row].join(' | ')} |`);
    });
  }
}

async function load(dist) {
  const [index, openai, aiSdk, langchain] = await Promise.all(
    ['index', 'wrappers/openai', 'wrappers/ai-sdk', 'wrappers/langchain'].map(
      (name) => import(`${dist}src/${name}.js`),
    ),
  );
  const { createGuardedFetch } = openai;
  const { guardMiddleware } = aiSdk;
  const { guardChatModel } = langchain;
  return { ...index, createGuardedFetch, guardMiddleware, guardChatModel };
}

/** A row for each build: what a scan takes, and how many times that whole and streamed calls take. */
async function measure({ guard: makeGuarded, bare: makeBare }, prompts, answers) {
  const bare = makeBare();
  const subjects = builds.map((build) => {
    const pipeline = build.createPipeline();
    const guard = build.createGuard({ pipeline, policies: [] });
    return { pipeline, call: makeGuarded(build, guard) };
  });
  let turn = 0;
  const costs = new Map();
  const take = async (key, work) => {
    // Texts are made before: a text that was put together is flattened by the first that reads it.
    const pairs = prompts.map((prompt, at) => [`${turn} ${at} ${prompt}`, answers[at]]);
    turn += 1;
    const before = process.cpuUsage();
    for (const [prompt, answer] of pairs) await work(prompt, answer);
    const { user, system } = process.cpuUsage(before);
    if (!costs.has(key)) costs.set(key, []);
    costs.get(key).push((user + system) / pairs.length);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Whichever comes first finds other caches: they take turns with that as well.
    const order = round % 2 === 0 ? [...subjects.keys()] : [...subjects.keys()].reverse();
    for (const isStreamed of [false, true]) {
      await take(`bare ${isStreamed}`, (...pair) => bare(...pair, isStreamed));
      for (const at of order) {
        const { call, pipeline } = subjects[at];
        await take(`scan ${at}`, (prompt, response) => pipeline.scan({ prompt, response }));
        await take(`call ${at} ${isStreamed}`, (...pair) => call(...pair, isStreamed));
      }
    }
  }
  const unit = costs.get('scan 0');
  return subjects.map((_, at) => [
    leastOf(costs.get(`scan ${at}`)).toFixed(0),
    ...[false, true].map((isStreamed) => {
      const [call, own] = [costs.get(`call ${at} ${isStreamed}`), costs.get(`bare ${isStreamed}`)];
      const least = (leastOf(call) - leastOf(own)) / leastOf(unit);
      const median = (medianOf(call) - medianOf(own)) / medianOf(unit);
      return `${least.toFixed(2)}, ${median.toFixed(2)}`;
    }),
  ]);
}

function leastOf(numbers) {
  return Math.min(...numbers);
}

function medianOf(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function partsOf(text) {
  return Array.from({ length: Math.ceil(text.length / PART) }, (_, at) =>
    text.slice(at * PART, (at + 1) * PART),
  );
}

async function drain(stream) {
  for await (const _ of stream);
}

function fetchWith(guarded) {
  let answer;
  const fetch = guarded(async (_, { body }) => {
    const { stream } = JSON.parse(body);
    if (!stream) {
      return Response.json({ choices: [{ message: { role: 'assistant', content: answer } }] });
    }
    const events = partsOf(answer).map((content) =>
      encoder.encode(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
      ),
    );
    const headers = { 'content-type': 'text/event-stream' };
    return new Response(ReadableStream.from(events), { headers });
  });
  return async (prompt, response, stream) => {
    answer = response;
    const body = JSON.stringify({ stream, messages: [{ role: 'user', content: prompt }] });
    const init = { method: 'POST', body };
    const answered = await fetch('http://models.example/v1/chat/completions', init);
    if (stream) await drain(answered.body);
    else await answered.text();
  };
}

function generateWith(middleware) {
  return async (prompt, text, isStreamed) => {
    const given = { prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] };
    const params = await middleware.transformParams({ params: given });
    if (!isStreamed) {
      const doGenerate = async () => ({ content: [{ type: 'text', text }] });
      return middleware.wrapGenerate({ params, doGenerate });
    }
    const parts = partsOf(text).map((delta) => ({ type: 'text-delta', id: '0', delta }));
    const doStream = async () => ({
      stream: ReadableStream.from([...parts, { type: 'text-end', id: '0' }, { type: 'finish' }]),
    });
    const { stream } = await middleware.wrapStream({ params, doStream });
    return drain(stream);
  };
}

function chatWith(guarded) {
  let answer;
  const messageOf = (role, content) => ({ role, content, getType: () => '' });
  const model = guarded({
    async _generate() {
      return { generations: [{ text: answer, message: messageOf('assistant', answer) }] };
    },
    async *_streamResponseChunks() {
      for (const text of partsOf(answer)) yield { text, message: messageOf('assistant', text) };
    },
  });
  return async (prompt, text, isStreamed) => {
    answer = text;
    const messages = [messageOf('user', prompt)];
    if (isStreamed) await drain(model._streamResponseChunks(messages, {}));
    else await model._generate(messages, {});
  };
}
