// npm run scim -w @probity/bench [-- --users N --large N --rounds N --seconds S --part requests|sizes --only TEXT --json --profile FOLDER]
// SCIM requests of the server as it is delivered beside a bare Koa route over one table, both up at once, measured in
// turns; and the same request over few and many users and members. What counts are the ratios within this run.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONNECTIONS, measureInTurns, summarize } from '../shared/measure.mjs';
import { bootstrap, PROBITY, startServer } from '../shared/server-process.mjs';
import { userNamed } from './users.mjs';

const { values: flags } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    large: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    part: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const USERS = Number(flags.users);
const LARGE = Number(flags.large);
const SMALL = 1_000;
const LARGE_GROUP = 20_000;
const SMALL_GROUP = 10;
const AT_ONCE = 32;
/** Requests go to as many users at random. */
const KNOWN_USERS = 500;
const BARE = fileURLToPath(new URL('bare.mjs', import.meta.url));

/** A server over a new database with an organization, and the headers of its identity provider. */
async function startProbity(name, profileFolder) {
  const database = `sqlite:${join(folder, `${name}.db`)}`;
  const { scim_token: token } = bootstrap(database, name, 'owner@example.com');
  const args = [PROBITY, 'serve', '--port', '0', '--role', 'api', '--database', database];
  const env = { PROBITY_RATE_LIMITS: 'scim=100000000/60' };
  const server = await startServer(name, args, { folder, profileFolder, env });
  servers.push(server);
  return { server, headers: headersWith(token) };
}

async function startBare(users) {
  const token = randomBytes(24).toString('base64url');
  const args = [BARE, join(folder, 'bare.db'), `${users}`, token];
  const server = await startServer('bare', args, { folder, profileFolder: flags.profile });
  servers.push(server);
  return { server, headers: headersWith(token) };
}

function headersWith(token) {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
}

async function send({ server, headers }, method, path, body) {
  const response = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}

/** Adds users through the API; returns the ids. */
async function addUsers(subject, count) {
  const ids = [];
  let next = 0;
  const add = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      const { id } = await send(subject, 'POST', '/Users', userNamed(`user-${number}`));
      ids.push(id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, add));
  return ids;
}

/** The ids of users of a subject at random. */
async function findUsers(subject) {
  const ids = [];
  for (let count = 0; count < KNOWN_USERS; count += 1) {
    const { Resources } = await send(subject, 'GET', byName(randomNumber(USERS)));
    ids.push(Resources[0].id);
  }
  return ids;
}

function byName(number) {
  const filter = `userName eq "USER-${number}@example.com"`;
  return `/Users?filter=${encodeURIComponent(filter)}`;
}

function randomNumber(limit) {
  return Math.floor(Math.random() * limit);
}

/** Makes the path of a user at random. */
function userOf(ids) {
  return () => `/scim/v2/Users/${ids[randomNumber(ids.length)]}`;
}

/** The requests of the bar, each with the most that it may take as a multiple of the bare route. */
const REQUESTS = [
  { name: 'GET user', bar: 2, toRequest: (ids) => ({ nextPath: userOf(ids) }) },
  {
    name: 'filter userName eq',
    bar: 2,
    toRequest: () => ({ nextPath: () => `/scim/v2${byName(randomNumber(USERS))}` }),
  },
  {
    name: 'PATCH displayName',
    bar: 1.5,
    toRequest: (ids) => ({ nextPath: userOf(ids), method: 'PATCH', nextBody: patches(renaming) }),
  },
  {
    name: 'PATCH active',
    bar: 1.5,
    toRequest: (ids) => ({ nextPath: userOf(ids), method: 'PATCH', nextBody: patches(toggling) }),
  },
  {
    name: 'POST user',
    bar: 1.5,
    toRequest: () => ({ path: '/scim/v2/Users', method: 'POST', nextBody: newUsers() }),
  },
];

const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
const servers = [];
try {
  const wants = (part) => (flags.part ?? part) === part;
  if (wants('requests')) report('beside a bare route', await compareRequests());
  if (wants('sizes')) report('by size', await compareSizes());
} finally {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function renaming(count) {
  return { op: 'replace', path: 'displayName', value: `Name ${count}` };
}

function toggling(count) {
  return { op: 'replace', path: 'active', value: count % 2 === 0 };
}

function patches(toOperation) {
  let count = 0;
  return () => {
    count += 1;
    const operation = toOperation(count);
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    return JSON.stringify({ schemas, Operations: [operation] });
  };
}

function newUsers() {
  let count = 0;
  return () => {
    count += 1;
    return JSON.stringify(userNamed(`new-${count}-${Math.random().toString(36).slice(2)}`));
  };
}

async function compareRequests() {
  const bare = await startBare(USERS);
  const probity = await startProbity('probity', flags.profile);
  await addUsers(probity, USERS);
  const rows = [];
  const chosen = REQUESTS.filter(({ name }) => name.startsWith(flags.only));
  for (const { name, bar, toRequest } of chosen) {
    const subjects = [];
    for (const { server, headers } of [bare, probity]) {
      const ids = await findUsers({ server, headers });
      subjects.push({ server, request: { ...toRequest(ids), headers } });
    }
    const rounds = await measureInTurns(subjects, limits());
    rows.push(ratioOf({ name, bar, of: rounds[1], to: rounds[0] }));
  }
  return rows;
}

function limits() {
  return { rounds: Number(flags.rounds), seconds: Number(flags.seconds) };
}

/** The same request over few and many resources. */
async function compareSizes() {
  const small = await startProbity('small');
  const large = await startProbity('large');
  const smallIds = await addUsers(small, SMALL);
  const largeIds = await addUsers(large, LARGE);
  const byEmail = (users) => () => {
    const filter = `emails.value eq "user-${randomNumber(users)}@example.com"`;
    return `/scim/v2/Users?filter=${encodeURIComponent(filter)}`;
  };
  const filtered = [
    [small, SMALL],
    [large, LARGE],
  ].map(([{ server, headers }, users]) => ({
    server,
    request: { nextPath: byEmail(users), headers },
  }));
  const byUsers = await measureInTurns(filtered, limits());
  const groups = [];
  for (const [subject, ids, count] of [
    [small, smallIds, SMALL_GROUP],
    [large, largeIds, Math.min(LARGE_GROUP, largeIds.length - 1)],
  ]) {
    const members = ids.slice(0, count).map((value) => ({ value }));
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    const group = { schemas, displayName: `group of ${count}`, members };
    const { id } = await send(subject, 'POST', '/Groups', group);
    groups.push({ ...subject, path: `/scim/v2/Groups/${id}`, member: ids.at(-1) });
  }
  const byMembers = await measureInTurns(
    groups.map(({ server, headers, path: groupPath, member }) => ({
      server,
      request: { path: groupPath, headers, method: 'PATCH', nextBody: addAndRemove(member) },
    })),
    limits(),
  );
  return [
    ratioOf({
      name: `filter over ${LARGE} to ${SMALL} users`,
      bar: 1.2,
      of: byUsers[1],
      to: byUsers[0],
    }),
    ratioOf({
      name: `add or remove a member, group of ${LARGE_GROUP} to ${SMALL_GROUP}`,
      bar: 1.5,
      of: byMembers[1],
      to: byMembers[0],
    }),
  ];
}

/** Adds a member and removes it in turn. */
function addAndRemove(member) {
  let count = 0;
  return () => {
    count += 1;
    const op = count % 2 === 1 ? 'add' : 'remove';
    const operation = { op, path: 'members', value: [{ value: member }] };
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    return JSON.stringify({ schemas, Operations: [operation] });
  };
}

function ratioOf({ name, bar, of, to }) {
  const ratios = of.map(({ cpuUs }, round) => cpuUs / to[round].cpuUs);
  const [ours, theirs] = [summarize(of), summarize(to)];
  return {
    request: name,
    'beside us': Math.round(theirs.cpuUs),
    us: Math.round(ours.cpuUs),
    ratio: (ours.cpuUs / theirs.cpuUs).toFixed(2),
    bar,
    'of single rounds': `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    'per second': Math.round(ours.perSecond),
  };
}

function report(title, rows) {
  if (flags.json) return console.log(JSON.stringify({ title, rows }, null, 2));
  console.log(`CPU per request ${title}, ${CONNECTIONS} connections, Node ${process.version}`);
  console.table(rows);
}
