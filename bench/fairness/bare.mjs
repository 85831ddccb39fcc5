// The peer: a bare Koa program that stores a row for each webhook and sends them first come, first
// served, with as many places as Probity has. better-sqlite3, WAL, synchronous=FULL. It knows of no
// tenants, signatures, leases, retries or limits.
//
//   node bare.mjs DATABASE
import { request } from 'node:https';
import Koa from 'koa';
import { openSqlite } from '../shared/sqlite.mjs';

const PLACES = 512;

const database = await openSqlite(process.argv[2]);
database.exec(`
  create table if not exists webhooks (key text, url text);
  create table if not exists deliveries (id integer primary key, url text, body text, sent integer);
  create index if not exists deliveries_due on deliveries (sent, id)`);
const insertWebhook = database.prepare('insert into webhooks values (?, ?)');
const selectWebhooks = database.prepare('select url from webhooks where key = ?');
const insertDelivery = database.prepare(
  'insert into deliveries (url, body, sent) values (?, ?, 0)',
);
const selectNext = database.prepare('select * from deliveries where sent = 0 order by id limit ?');
const takeOne = database.prepare('update deliveries set sent = 1 where id = ?');
const deleteOne = database.prepare('delete from deliveries where id = ?');
let inHand = 0;
let scans = 0;

const store = database.transaction((key, body) => {
  for (const { url } of selectWebhooks.all(key)) insertDelivery.run(url, body);
});
const take = database.transaction((count) => {
  const rows = selectNext.all(count);
  for (const { id } of rows) takeOne.run(id);
  return rows;
});

function send() {
  if (inHand >= PLACES) return;
  for (const { id, url, body } of take(PLACES - inHand)) {
    inHand += 1;
    void post(url, body).then(() => {
      inHand -= 1;
      deleteOne.run(id);
      send();
    });
  }
}

function post(url, body) {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST' }, (response) => {
      response.resume();
      response.on('close', resolve);
    });
    sent.on('error', resolve);
    sent.end(body);
  });
}

const app = new Koa();
app.use(async (ctx) => {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const { url } = JSON.parse(Buffer.concat(chunks).toString());
  const key = ctx.get('Authorization');
  if (ctx.path === '/api/v1/webhooks') {
    insertWebhook.run(key, url);
    ctx.body = {};
    return;
  }
  scans += 1;
  const id = `scan_${scans}`;
  store(key, JSON.stringify({ data: { scanId: id } }));
  send();
  ctx.body = { governance: { scan_id: id } };
});
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
process.on('SIGTERM', () => process.exit(0));
