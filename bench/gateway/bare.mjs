// The peer: an undici proxy that parses request and answer, and runs five regular expressions over their texts.
// Without an address as argument it answers by itself, as a service that scans does.
import { createServer } from 'node:http';
import { Agent } from 'undici';
import { EXPRESSIONS } from '../pipeline/material.mjs';

const [upstream] = process.argv.slice(2);
const agent = new Agent({ keepAliveTimeout: 60_000 });

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

async function forward(text) {
  const { body } = await agent.request({
    origin: upstream,
    path: '/v1/chat/completions',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
  const answer = JSON.parse(await read(body));
  countIn(answer.choices[0].message.content);
  return JSON.stringify(answer);
}

const server = createServer(async (request, response) => {
  const text = await read(request);
  const { messages = [], response: scanned } = JSON.parse(text);
  let found = scanned === undefined ? 0 : countIn(scanned);
  for (const { content } of messages) found += countIn(content);
  const answer = upstream ? await forward(text) : JSON.stringify({ found });
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
