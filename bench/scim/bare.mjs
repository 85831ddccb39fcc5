// The peer: a bare Koa program with one table of users. Prepared statements, WAL, synchronous=FULL, a unique index
// over the user name in lower case, one commit for each write. It knows of nothing else: no schemas, paths,
// permissions, members, audit log or events.
//
//   node bare.mjs DATABASE USERS
import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import { openSqlite } from '../shared/sqlite.mjs';
import { userNamed } from './users.mjs';

const [databasePath, users] = process.argv.slice(2);
const database = await openSqlite(databasePath);
database.exec(`
  create table users (id text primary key, user_name text not null, body text not null);
  create unique index users_name on users (lower(user_name));`);
const select = database.prepare('select body from users where id = ?');
const selectByName = database.prepare('select body from users where lower(user_name) = lower(?)');
const insert = database.prepare('insert into users (id, user_name, body) values (?, ?, ?)');
const update = database.prepare('update users set body = ? where id = ?');

database.transaction(() => {
  for (let number = 0; number < Number(users); number += 1) store(userNamed(`user-${number}`));
})();

const USER = /^\/scim\/v2\/Users\/([^/]+)$/;
const NAME = /^userName eq "([^"]*)"$/;

const app = new Koa();
app.use(async (ctx) => {
  ctx.type = 'application/scim+json';
  const [, id] = USER.exec(ctx.path) ?? [];
  if (ctx.method === 'POST') {
    ctx.status = 201;
    ctx.body = store(await bodyOf(ctx));
  } else if (ctx.method === 'PATCH') {
    const [{ path, value }] = (await bodyOf(ctx)).Operations;
    const body = { ...JSON.parse(select.get(id).body), [path]: value };
    update.run(JSON.stringify(body), id);
    ctx.body = body;
  } else if (id) {
    ctx.body = JSON.parse(select.get(id).body);
  } else {
    const [, name] = NAME.exec(ctx.query.filter) ?? [];
    const Resources = selectByName.all(name).map(({ body }) => JSON.parse(body));
    ctx.body = { totalResults: Resources.length, Resources };
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
process.once('SIGTERM', () => process.exit());

async function bodyOf(ctx) {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function store(user) {
  const now = new Date().toISOString();
  const meta = { resourceType: 'User', created: now, lastModified: now };
  const stored = { ...user, id: randomUUID(), meta };
  insert.run(stored.id, user.userName, JSON.stringify(stored));
  return stored;
}
