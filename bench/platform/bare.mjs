// The peer: a bare Koa program on better-sqlite3 that reads and writes the rows that Probity does, in
// a database of Probity's own tables. Prepared statements, WAL, synchronous=FULL, one transaction
// per change. It knows of nothing else: no permissions, limits, quotas, metrics or logs.
//
//   node bare.mjs DATABASE SEALING_KEY_IN_HEX
import { createCipheriv, hash, randomBytes } from 'node:crypto';
import Koa from 'koa';
import { openSqlite } from '../shared/sqlite.mjs';

const [databasePath, sealingKeyHex] = process.argv.slice(2);
const sealingKey = Buffer.from(sealingKeyHex, 'hex');
const database = await openSqlite(databasePath);

const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000;
const INSTANCE_SEEN_MS = 5 * 60_000;

const selectIdentity = database.prepare(`
  select k.id as key_id, k.organization_id, k.member_id, k.role as key_role, k.expires_at,
    k.revoked_at, m.role as member_role, m.status as member_status, o.plan, o.ip_allowlist
  from probity_api_keys k join probity_members m on m.id = k.member_id
    join probity_organizations o on o.id = k.organization_id
  where k.token_hash = ?`);
const selectOrganization = database.prepare(`
  select o.*, (select count(*) from probity_members m
    where m.organization_id = o.id and m.status != 'suspended') as members_count
  from probity_organizations o where o.id = ?`);
const selectInstances = database.prepare(`
  select kind, count(*) as count from probity_instances
  where organization_id = ? and last_seen > ? group by kind`);
const selectMembers = database.prepare(`
  select * from probity_members where organization_id = ? order by created_at, id limit ? offset ?`);
const countMembers = database.prepare(
  'select count(*) as count from probity_members where organization_id = ?',
);
const insertMember = database.prepare(`
  insert into probity_members (id, organization_id, email, email_key, name, role, status, mfa_enabled,
    created_at, last_login) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
const insertInvitation = database.prepare(`
  insert into probity_invitations (id, organization_id, member_id, email, role, token_hash, sealed_token,
    created_at, sent_at, expires_at, accepted_at, revoked_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
const insertJob = database.prepare(`
  insert into probity_jobs (id, queue, group_key, payload, due_at, lease_token, attempts)
    values (?, ?, ?, ?, ?, ?, 0)`);
const advanceHead = database.prepare(`
  insert into probity_audit_heads (organization_id, sequence, hash) values (?, 1, '')
  on conflict (organization_id) do update set sequence = sequence + 1
  returning sequence, hash`);
const setHeadHash = database.prepare(
  'update probity_audit_heads set hash = ? where organization_id = ?',
);
const insertAuditEntry = database.prepare(`
  insert into probity_audit_entries (id, organization_id, sequence, action, actor_type, actor_id,
    credential_id, target_type, target_id, before, after, address, request_id, previous_hash, hash,
    created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

const ORGANIZATION = /^\/v1\/organizations\/([^/]+)$/;
const MEMBERS = /^\/v1\/organizations\/([^/]+)\/members$/;

const app = new Koa();
app.use(async (ctx) => {
  const identity = identify(ctx.get('Authorization'));
  if (!identity) ctx.throw(401);
  const [, ofOrganization] = ORGANIZATION.exec(ctx.path) ?? [];
  const [, ofMembers] = MEMBERS.exec(ctx.path) ?? [];
  if ((ofOrganization ?? ofMembers) !== identity.organization_id) ctx.throw(404);
  if (ofOrganization) return getOrganization(ctx, identity);
  if (ctx.method === 'POST') return addMember(ctx, identity);
  listMembers(ctx, identity);
});
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ message: 'listening', url }));
});
process.once('SIGTERM', () => process.exit());

function identify(authorization) {
  if (!authorization.startsWith('Bearer ')) return null;
  const identity = selectIdentity.get(sha256(authorization.slice(7)));
  if (!identity || identity.revoked_at !== null || identity.member_status !== 'active') return null;
  if (identity.expires_at !== null && identity.expires_at <= Date.now()) return null;
  return identity;
}

function getOrganization(ctx, { organization_id: id }) {
  const organization = selectOrganization.get(id);
  const instances = selectInstances.all(id, Date.now() - INSTANCE_SEEN_MS);
  const count = (name) => instances.find(({ kind }) => kind === name)?.count ?? 0;
  ctx.body = {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    created_at: new Date(organization.created_at).toISOString(),
    plan: organization.plan,
    members_count: organization.members_count,
    gateway_instances: count('gateway'),
    sentinel_agents: count('sentinel'),
    description: organization.description,
    website: organization.website,
    timezone: organization.timezone,
    settings: {
      sso_enabled: organization.sso_enabled === 1,
      sso_provider: organization.sso_provider,
      ip_allowlist: JSON.parse(organization.ip_allowlist),
      data_residency: organization.data_residency,
    },
  };
}

function listMembers(ctx, { organization_id: id }) {
  const limit = Number(ctx.query.limit ?? 50);
  const offset = Number(ctx.query.offset ?? 0);
  const members = selectMembers.all(id, limit, offset).map(toWire);
  const { count: total } = countMembers.get(id);
  ctx.body = { members, total, limit, offset, has_more: offset + limit < total };
}

async function addMember(ctx, identity) {
  const chunks = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const { email, name = null, role } = JSON.parse(Buffer.concat(chunks).toString());
  if (typeof email !== 'string' || !email.includes('@') || typeof role !== 'string') ctx.throw(400);
  const member = store(identity, { email, name, role }, ctx.req.socket.remoteAddress);
  ctx.status = 201;
  ctx.body = {
    ...toWire(member),
    invitation_sent_at: new Date(member.created_at).toISOString(),
  };
}

const store = database.transaction((identity, { email, name, role }, address) => {
  const { organization_id: organization } = identity;
  const now = Date.now();
  const member = {
    id: nextId('mem'),
    organization_id: organization,
    email,
    email_key: email.toLowerCase(),
    name,
    role,
    status: 'pending_invite',
    mfa_enabled: 0,
    created_at: now,
    last_login: null,
  };
  insertMember.run(...Object.values(member));
  const invitation = nextId('inv');
  const token = randomBytes(24).toString('base64url');
  const sealed = seal(token, invitation);
  const invited = [invitation, organization, member.id, email, role, sha256(token), sealed];
  insertInvitation.run(...invited, now, now, now + INVITATION_LIFETIME_MS, null, null);
  const payload = JSON.stringify({ organizationId: organization, invitationId: invitation });
  insertJob.run(nextId('job'), 'mail.send', organization, payload, now, null);
  const { status } = member;
  recordAudit(identity, address, now, {
    action: 'member.invited',
    target: member.id,
    after: JSON.stringify({ email, name, role, status, invitation_id: invitation }),
  });
  return member;
}).immediate;

function recordAudit(identity, address, now, { action, target, after }) {
  const { organization_id: organization } = identity;
  const { sequence, hash: previousHash } = advanceHead.get(organization);
  const chained = [nextId('aud'), organization, sequence, action, 'member', identity.member_id];
  const rest = [identity.key_id, 'member', target, null, after, address, nextId('req')];
  const digest = sha256(JSON.stringify([...chained, ...rest, previousHash, now]));
  insertAuditEntry.run(...chained, ...rest, previousHash, digest, now);
  setHeadHash.run(digest, organization);
}

function toWire(row) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    created_at: new Date(row.created_at).toISOString(),
    last_login: row.last_login === null ? null : new Date(row.last_login).toISOString(),
    mfa_enabled: row.mfa_enabled === 1,
  };
}

function nextId(prefix) {
  return `${prefix}_${Date.now().toString(36)}${randomBytes(10).toString('hex')}`;
}

function sha256(text) {
  return hash('sha256', text);
}

function seal(text, purpose) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
}
