// The peers: a bare Koa route that reads and parses the same body. With `--insert PATH` it also inserts
// a row, as durably as the scan does: the least that an endpoint that stores can cost. With `--scan` the
// pipeline also scans the text; nothing is decided on it.
import { parseArgs } from 'node:util';
import Koa from 'koa';
import { createPipeline } from '../../packages/pipeline/dist/src/index.js';
import { openSqlite } from '../shared/sqlite.mjs';

const { values } = parseArgs({
  options: { insert: { type: 'string' }, scan: { type: 'boolean' } },
});
const insert = values.insert ? await openTable(values.insert) : null;
const pipeline = values.scan ? createPipeline() : null;

const app = new Koa();
app.use(async (ctx) => {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const { response } = JSON.parse(Buffer.concat(chunks).toString());
  if (pipeline) await pipeline.scan({ response });
  insert?.run(String(Math.random()), response.length, Date.now());
  ctx.body = { data: { verdict: 'allowed', length: response.length } };
});
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});

async function openTable(path) {
  const database = await openSqlite(path);
  database.exec('create table scans (id text primary key, length integer, at integer)');
  return database.prepare('insert into scans values (?, ?, ?)');
}
