// node bench/gateway/bare.mjs [--upstream URL] [--pipeline]
// The peer: an undici proxy that parses request and answer, and runs five regular expressions over their texts.
// Without an upstream it answers by itself, as a service that scans does. With the pipeline it also runs the seven
// stages over the texts: the difference to the same program without them is what the stages cost in a server.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { createPipeline } from '../../packages/pipeline/dist/src/index.js';
import { EXPRESSIONS } from '../pipeline/material.mjs';

const SEVEN = [
  ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'],
  ...['contamination_check', 'hallucination_detector', 'output_truth_scanner'],
];

const { upstream, pipeline } = parseArgs({
  options: { upstream: { type: 'string' }, pipeline: { type: 'boolean', default: false } },
}).values;
const agent = new Agent({ keepAliveTimeout: 60_000 });
const { scan } = pipeline
  ? createPipeline({ stages: SEVEN.map((name) => ({ name })) })
  : { scan: async () => undefined };

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function countIn(text) {
  let count = 0;
  for (const expression of EXPRESSIONS) for (const _ of text.matchAll(expression)) count++;
  return count;
}

async function forward(text, prompt) {
  const { body } = await agent.request({
    origin: upstream,
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  const answer = JSON.parse(await read(body));
  const { content } = answer.choices[0].message;
  countIn(content);
  await scan({ prompt, response: content });
  return JSON.stringify(answer);
}

async function answerOf(text) {
  const { messages, response } = JSON.parse(text);
  if (response !== undefined) {
    const found = countIn(response);
    await scan({ response });
    return JSON.stringify({ found });
  }
  for (const { content } of messages) countIn(content);
  const prompt = messages.map(({ content }) => content).join('\n');
  await scan({ prompt, response: '' });
  return forward(text, prompt);
}

const server = createServer(async (request, response) => {
  const answer = await answerOf(await read(request));
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(answer),
  });
  response.end(answer);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
