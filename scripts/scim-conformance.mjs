// node scripts/scim-conformance.mjs [--seed] [--direct] [--log] [--without-pagination] COMMAND [ARGUMENT ...]
// Runs an independent SCIM tester against a server with a new database and an organization without users. The command
// finds `SCIM_URL`, `SCIM_TOKEN`, `SCIM_HOST`, `SCIM_PORT` and `SCIM_PATH` in its environment, and `{SCIM_URL}` in its
// arguments is replaced. `runscope FILE` as the command runs a test of Okta's. --seed adds a user and a group first;
// --direct leaves out the proxy that gives testers what they expect besides RFC 7644; --log prints what was refused;
// --without-pagination takes the member of RFC 9865 from the configuration, for testers that refuse unknown ones.
// docs/decisions/scim-conformance.md says which testers were run, and what they found.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap, PROBITY, startServer } from '../bench/shared/server-process.mjs';
import { run } from './support/run.mjs';
import { runScope } from './support/runscope.mjs';
import { startTesterProxy } from './support/scim-tester-proxy.mjs';

const FLAGS = ['--seed', '--direct', '--log', '--without-pagination'];

/** @param {readonly string[]} args */
function parse(args) {
  const first = args.findIndex((arg) => !FLAGS.includes(arg));
  const flags = args.slice(0, Math.max(first, 0));
  const [command, ...rest] = first < 0 ? [] : args.slice(first);
  return { flags: new Set(flags), command, args: rest };
}

/** @param {{ url: string, token: string }} scim */
async function seed({ url, token }) {
  const user = {
    userName: 'first.user@scim.example',
    name: { givenName: 'First', familyName: 'User' },
    emails: [{ value: 'first.user@scim.example', type: 'work', primary: true }],
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  /** @param {string} path @param {object} body */
  const post = async (path, body) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const { id } = await post('/Users', user);
  await post('/Groups', { displayName: 'First group', members: [{ value: id }] });
}

/** @param {string} url @param {string} token */
function environmentOf(url, token) {
  const { hostname, port, pathname } = new URL(url);
  return {
    SCIM_URL: url,
    SCIM_TOKEN: token,
    SCIM_HOST: hostname,
    SCIM_PORT: port,
    SCIM_PATH: pathname.slice(1),
  };
}

const { flags, command, args } = parse(process.argv.slice(2));
if (!command) {
  process.stderr.write('Name a command: node scripts/scim-conformance.mjs [--seed] COMMAND …\n');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'scim-conformance-'));
const database = `sqlite:${join(folder, 'probity.db')}`;
const { scim_token: token } = bootstrap(database, 'Conformance', 'owner@scim.example');
const env = { PROBITY_RATE_LIMITS: 'scim=100000000/60' };
const serve = [PROBITY, 'serve', '--port', '0', '--database', database];
const server = await startServer('server', serve, { folder, env });
const direct = `${server.url}/scim/v2`;
const options = { token, log: flags.has('--log'), hidesPaging: flags.has('--without-pagination') };
const proxy = flags.has('--direct') ? null : await startTesterProxy(direct, options);
try {
  if (flags.has('--seed')) await seed({ url: direct, token });
  const values = environmentOf(proxy?.url ?? direct, token);
  const given = args.map((arg) =>
    arg.replaceAll(
      /\{(SCIM_[A-Z]+)\}/g,
      (all, name) => new Map(Object.entries(values)).get(name) ?? all,
    ),
  );
  process.exitCode =
    command === 'runscope'
      ? await runScope(given[0] ?? '', { url: values.SCIM_URL, token })
      : await run(command, given, { cwd: process.cwd(), env: { ...process.env, ...values } });
} finally {
  await proxy?.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
