// The peer: a bare Koa route that reads and parses the same body. With a path as argument it also
// inserts a row, as durably as the scan does: the least that an endpoint that stores can cost.
import Koa from 'koa';

const [databasePath] = process.argv.slice(2);
const insert = databasePath ? await openTable(databasePath) : null;

const app = new Koa();
app.use(async (ctx) => {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const { response } = JSON.parse(Buffer.concat(chunks).toString());
  insert?.run(String(Math.random()), response.length, Date.now());
  ctx.body = { data: { verdict: 'allowed', length: response.length } };
});
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});

async function openTable(path) {
  const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3';
  const { default: Database } = await import(name);
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('create table scans (id text primary key, length integer, at integer)');
  return database.prepare('insert into scans values (?, ?, ?)');
}
