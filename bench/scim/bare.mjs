// The peer: a Koa program as one is written without a framework for SCIM: @koa/router, @koa/bodyparser and prepared
// statements of better-sqlite3 in WAL with synchronous=FULL. Each request hashes its token and looks it up; each change
// writes user, member, audit entry and event in one transaction, with a commit of its own. It has no schemas, filters
// but the one that is measured, permissions, limits, versions of other resources, groups, metrics or logs.
//
//   node bare.mjs DATABASE USERS TOKEN
import { hash, randomUUID } from 'node:crypto';
import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import Koa from 'koa';
import { openSqlite } from '../shared/sqlite.mjs';
import { userNamed } from './users.mjs';

const [databasePath, users, ownToken] = process.argv.slice(2);
const ORGANIZATION = 'org_1';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const database = await openSqlite(databasePath);
database.exec(`
  create table organizations (id text primary key);
  create table tokens (hash text primary key, id text not null, expires_at integer,
    organization_id text not null references organizations (id));
  create table members (id text primary key, email text not null, name text, role text not null,
    status text not null, created_at integer not null,
    organization_id text not null references organizations (id));
  create unique index members_email on members (organization_id, lower(email));
  create table users (id text primary key, user_name text not null, external_id text, active integer not null,
    attributes text not null, version integer not null, created_at integer not null, modified_at integer not null,
    organization_id text not null references organizations (id),
    member_id text not null references members (id));
  create unique index users_name on users (organization_id, lower(user_name));
  create index users_external_id on users (organization_id, external_id);
  create table audit (id text primary key, organization_id text not null references organizations (id),
    at integer not null, actor text not null, action text not null, target text not null, before text, after text,
    address text);
  create index audit_at on audit (organization_id, at);
  create table outbox (id text primary key, organization_id text not null references organizations (id),
    at integer not null, type text not null, data text not null);`);

const selectToken = database.prepare(`
  select t.id, t.organization_id, t.expires_at from tokens t join organizations o on o.id = t.organization_id
  where t.hash = ?`);
const selectUser = database.prepare('select * from users where organization_id = ? and id = ?');
const selectByName = database.prepare(
  'select * from users where organization_id = ? and lower(user_name) = lower(?)',
);
const insertMember =
  database.prepare(`insert into members (id, organization_id, email, name, role, status, created_at)
  values (?, ?, ?, ?, ?, ?, ?)`);
const updateMember = database.prepare('update members set name = ?, status = ? where id = ?');
const insertUser =
  database.prepare(`insert into users (id, organization_id, user_name, external_id, active,
  attributes, version, created_at, modified_at, member_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
const updateUser = database.prepare(
  'update users set active = ?, attributes = ?, version = ?, modified_at = ? where id = ?',
);
const insertAudit =
  database.prepare(`insert into audit (id, organization_id, at, actor, action, target, before, after,
  address) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
const insertEvent = database.prepare(
  'insert into outbox (id, organization_id, at, type, data) values (?, ?, ?, ?, ?)',
);

database.transaction(() => {
  database.prepare('insert into organizations (id) values (?)').run(ORGANIZATION);
  database
    .prepare('insert into tokens (hash, id, organization_id) values (?, ?, ?)')
    .run(sha256(ownToken), 'tok_1', ORGANIZATION);
  for (let number = 0; number < Number(users); number += 1) {
    add({ organization_id: ORGANIZATION, id: 'tok_1' }, userNamed(`user-${number}`), null);
  }
})();

const createUser = database.transaction((token, body, address) => add(token, body, address));
const patchUser = database.transaction(change);

let base = '';
const router = new Router({ prefix: '/scim/v2' });
router.use(async (ctx, next) => {
  const header = ctx.get('Authorization');
  const token = header.startsWith('Bearer ') ? selectToken.get(sha256(header.slice(7))) : null;
  if (!token || (token.expires_at !== null && token.expires_at <= Date.now())) ctx.throw(401);
  ctx.state.token = token;
  await next();
});
router.get('/Users/:id', (ctx) => {
  const row = selectUser.get(ctx.state.token.organization_id, ctx.params.id);
  if (!row) ctx.throw(404);
  send(ctx, 200, row);
});
router.get('/Users', (ctx) => {
  const [, name] = /^userName eq "([^"]*)"$/.exec(ctx.query.filter ?? '') ?? [];
  if (name === undefined) ctx.throw(400);
  const Resources = selectByName.all(ctx.state.token.organization_id, name).map(toResource);
  const { length } = Resources;
  sendJson(ctx, 200, {
    ...{ schemas: [LIST], totalResults: length, itemsPerPage: length, startIndex: 1 },
    Resources,
  });
});
router.post('/Users', (ctx) => {
  const { body } = ctx.request;
  if (typeof body?.userName !== 'string') ctx.throw(400);
  send(ctx, 201, createUser(ctx.state.token, body, ctx.ip));
});
router.patch('/Users/:id', (ctx) => {
  const operations = ctx.request.body?.Operations;
  if (!Array.isArray(operations)) ctx.throw(400);
  const row = patchUser(ctx.state.token, ctx.params.id, operations, ctx.ip);
  if (!row) ctx.throw(404);
  send(ctx, 200, row);
});

const app = new Koa();
app.use(bodyParser({ enableTypes: ['json'], extendTypes: { json: ['application/scim+json'] } }));
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  base = `${url}/scim/v2`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
process.once('SIGTERM', () => process.exit());

function add(token, { schemas, userName, externalId, active = true, ...attributes }, address) {
  const { organization_id: organization } = token;
  const now = Date.now();
  const member = randomUUID();
  insertMember.run(member, organization, userName, nameOf(attributes), 'member', 'active', now);
  const row = {
    id: randomUUID(),
    organization_id: organization,
    user_name: userName,
    external_id: externalId ?? null,
    active: active ? 1 : 0,
    attributes: JSON.stringify(attributes),
    version: 1,
    created_at: now,
    modified_at: now,
    member_id: member,
  };
  insertUser.run(...Object.values(row));
  record(token, 'user.created', { before: null, after: row, now, address });
  return row;
}

function change(token, id, operations, address) {
  const before = selectUser.get(token.organization_id, id);
  if (!before) return null;
  const attributes = JSON.parse(before.attributes);
  let { active } = before;
  for (const { op, path, value } of operations) {
    if (path === 'active') active = value ? 1 : 0;
    else if (String(op).toLowerCase() === 'remove') delete attributes[path];
    else attributes[path] = value;
  }
  const now = Date.now();
  const version = before.version + 1;
  const changed = { active, attributes: JSON.stringify(attributes), version };
  const after = { ...before, ...changed, modified_at: now };
  updateUser.run(active, after.attributes, version, now, id);
  const status = active === 1 ? 'active' : 'suspended';
  updateMember.run(nameOf(attributes), status, before.member_id);
  record(token, 'user.updated', { before, after, now, address });
  return after;
}

function record({ id: actor, organization_id: organization }, action, entry) {
  const { before, after, now, address } = entry;
  const fields = (row) => row && JSON.stringify({ user_name: row.user_name, active: row.active });
  const target = after.id;
  insertAudit.run(
    ...[randomUUID(), organization, now, actor, action, target],
    ...[fields(before), fields(after), address],
  );
  insertEvent.run(randomUUID(), organization, now, action, JSON.stringify({ id: target }));
}

function nameOf({ displayName, name }) {
  return displayName ?? name?.formatted ?? null;
}

function toResource(row) {
  return {
    schemas: [USER],
    id: row.id,
    externalId: row.external_id,
    userName: row.user_name,
    ...JSON.parse(row.attributes),
    active: row.active === 1,
    meta: {
      resourceType: 'User',
      created: new Date(row.created_at).toISOString(),
      lastModified: new Date(row.modified_at).toISOString(),
      location: `${base}/Users/${row.id}`,
      version: `W/"${row.version}"`,
    },
  };
}

function send(ctx, status, row) {
  const resource = toResource(row);
  ctx.set('ETag', resource.meta.version);
  ctx.set('Location', resource.meta.location);
  sendJson(ctx, status, resource);
}

function sendJson(ctx, status, body) {
  ctx.status = status;
  ctx.type = 'application/scim+json';
  ctx.body = JSON.stringify(body);
}

function sha256(text) {
  return hash('sha256', text);
}
