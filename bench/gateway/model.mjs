// A model's server that answers at once: what a proxy in front of it adds is all that is left.
import { createServer } from 'node:http';

const content = 'Your parcel has left the warehouse and will arrive in two or three working days.';
const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
const usage = { prompt_tokens: 120, completion_tokens: 18, total_tokens: 138 };
const ANSWER = Buffer.from(
  JSON.stringify({
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    ...{ choices: [choice], usage },
  }),
);

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': ANSWER.length,
    });
    response.end(ANSWER);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
