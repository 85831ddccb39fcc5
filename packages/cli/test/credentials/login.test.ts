import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '@probity/test-support';
import type { CapturedRequest, Reply } from '../capturing-server.ts';
import { caller, errorReply, organizations, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY, PROGRAM } from '../program.ts';

const REFUSED = { status: 401, body: { error: 'unauthorized', message: 'No.', code: 401 } };

function acceptKey({ headers, path }: CapturedRequest): Reply {
  if (headers.authorization !== `Bearer ${KEY}`) return REFUSED;
  return { body: path.startsWith('/v1/organizations') ? organizations() : caller() };
}

function store(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), {
    mode: 0o600,
  });
}

describe('login', () => {
  for (const [title, args, options] of [
    ['from standard input', ['--api-key-stdin'], { input: `${KEY}\n` }],
    ['from the environment', [], { env: { PROBITY_API_KEY: KEY } }],
    ['from an option', ['--api-key', KEY], {}],
  ] as const) {
    it(`a key ${title} is checked and stored, readable by its owner alone`, async (t) => {
      const home = createHome(t);
      const { url } = await startCapturingServer(t, acceptKey);
      const { code, stdout, stderr } = await home.run(
        ['login', '--base-url', `${url}/`, ...args],
        options,
      );
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /Logged in to http:\S+ as Acme, with the role admin\.\n/);
      assert.ok(!stdout.includes(KEY));
      assert.equal(statSync(home.credentials).mode & 0o777, 0o600);
      assert.equal(statSync(dirname(home.credentials)).mode & 0o077, 0);
      const stored = JSON.parse(readFileSync(home.credentials, 'utf8'));
      assert.deepEqual(stored, { apiKey: KEY, baseUrl: url });
    });
  }

  it('a key that the server refuses is not stored, and the one before stays', async (t) => {
    const home = createHome(t);
    const { url } = await startCapturingServer(t, acceptKey);
    const wrong = 'pbk_wrong0000000000000000000000000000000000';
    const first = await home.run(['login', '--base-url', url, '--api-key', wrong]);
    assert.equal(first.code, 4);
    assert.match(first.stderr, /^probity: No \(unauthorized\)\n$/);
    assert.equal(existsSync(home.credentials), false);
    await home.run(['login', '--base-url', url, '--api-key', KEY]);
    const before = readFileSync(home.credentials, 'utf8');
    assert.equal((await home.run(['login', '--base-url', url, '--api-key', wrong])).code, 4);
    assert.equal(readFileSync(home.credentials, 'utf8'), before);
  });

  it('a server that is named and does not answer is exit code 3, and nothing is stored', async (t) => {
    const home = createHome(t);
    const { url } = await startCapturingServer(t, acceptKey);
    const closed = url.replace(/\d+$/, '9');
    const args = ['login', '--base-url', closed, '--api-key', KEY];
    const { code, stderr } = await home.run(args);
    assert.equal(code, 3, stderr);
    assert.match(stderr, /connection/);
    assert.equal(existsSync(home.credentials), false);
  });

  it('the command line that others see does not keep the key', async (t) => {
    if (process.platform !== 'linux') return t.skip('reads /proc');
    const home = createHome(t);
    const { url, requests } = await startCapturingServer(t, () => new Promise<Reply>(() => {}));
    const program = home.start(['login', '--base-url', url, '--api-key', KEY]);
    await until(() => requests.length > 0, 'the key is being checked');
    assert.equal(requests[0]?.headers.authorization, `Bearer ${KEY}`);
    const commandLine = readFileSync(`/proc/${program.pid}/cmdline`, 'utf8');
    assert.ok(!commandLine.includes(KEY), commandLine);
  });

  it('an application is asked for the caller below its own path, and for nothing else', async (t) => {
    const home = createHome(t);
    const { url, requests } = await startCapturingServer(t, ({ path }) =>
      path === '/probity/whoami'
        ? { body: caller('tenant-7') }
        : errorReply(404, 'RESOURCE_NOT_FOUND', 'No such route.'),
    );
    const env = { PROBITY_API_PATH: '/probity', PROBITY_API_KEY: 'token-of-the-host' };
    const { code, stdout, stderr } = await home.run(['login', '--base-url', url], { env });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Logged in to http:\S+\d as tenant-7, with the role admin\.\n/);
    assert.deepEqual(
      requests.map(({ path }) => path),
      ['/probity/whoami'],
    );
  });

  it('a server without the platform API has no name of the organization', async (t) => {
    const home = createHome(t);
    const { url } = await startCapturingServer(t, ({ path }) =>
      path === '/api/v1/whoami' ? { body: caller() } : { status: 404, body: 'no such page' },
    );
    const args = ['whoami', '--base-url', url];
    const { code, stdout } = await home.run(args, { env: { PROBITY_API_KEY: KEY } });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^Organization {2}org_1, plan enterprise\nRole {10}admin, as member mem_1\n$/m,
    );
  });

  for (const [title, typed, code] of [
    ['is asked for on a terminal, and not shown', `${KEY}\r`, 0],
    ['that is not given ends the command with Ctrl-C', 'pbk_half\u0003', 130],
    ['that is not given ends the command with Ctrl-D', '\u0004', 130],
  ] as const) {
    it(`a key ${title}`, async (t) => {
      if (spawnSync('script', ['--version']).error) return t.skip('there is no script(1): NOT run');
      const home = createHome(t);
      const { url } = await startCapturingServer(t, acceptKey);
      const command = `'${process.execPath}' '${PROGRAM}' login --base-url ${url}`;
      const env = { ...process.env, XDG_CONFIG_HOME: home.path, PROBITY_API_KEY: '' };
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { env });
      t.after(() => void terminal.kill());
      let shown = '';
      terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
      });
      const ended = once(terminal, 'exit');
      await until(() => shown.includes('API key: '), 'the question');
      terminal.stdin.write(typed);
      assert.deepEqual(await ended, [code, null], shown);
      assert.ok(!shown.includes('pbk_'), shown);
      assert.equal(existsSync(home.credentials), code === 0);
    });
  }

  for (const [args, message] of [
    [['--api-key', 'two words 1'], /^probity: --api-key: an API key is 8 or more/],
    [['--api-key', KEY, '--api-key-stdin'], /cannot be used with option/],
    [['--api-key', KEY, '--base-url', 'ftp://a.example'], /--base-url: expected an address/],
    [['--api-key', KEY, '--base-url', 'https://u:p@a.example'], /must have no user/],
    [
      ['--api-key', KEY, '--base-url', 'https://a.example/p/api/v1/'],
      /--base-url: leave out \/api\/v1: https:\/\/a\.example\/p\n/,
    ],
    [[], /^probity: no API key: give --api-key-stdin/],
  ] as const) {
    it(`login ${args.map((arg) => (arg === KEY ? 'KEY' : arg)).join(' ')} is exit code 2`, async (t) => {
      const { code, stderr } = await createHome(t).run(['login', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.ok(!stderr.includes(KEY) && !stderr.includes('two words'));
    });
  }
});

describe('the stored key', () => {
  it('is sent to the server it was stored with, and to no other', async (t) => {
    const home = createHome(t);
    const own = await startCapturingServer(t, acceptKey);
    const other = await startCapturingServer(t, acceptKey);
    store(home.credentials, { apiKey: KEY, baseUrl: own.url });
    assert.equal((await home.run(['whoami'])).code, 0);
    const refused = await home.run(['whoami', '--base-url', other.url]);
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /is for http:\S+ and is not sent to http:/);
    assert.equal(other.requests.length, 0);
    const env = { PROBITY_API_KEY: KEY };
    assert.equal((await home.run(['whoami', '--base-url', other.url], { env })).code, 0);
  });

  it('is sent to any server that is named when it was stored without one', async (t) => {
    const home = createHome(t);
    const { url } = await startCapturingServer(t, acceptKey);
    store(home.credentials, { apiKey: KEY, baseUrl: null });
    const { code, stdout } = await home.run(['whoami', '--base-url', url, '--json']);
    const { apiKey, organization, baseUrl, role } = JSON.parse(stdout);
    assert.deepEqual([code, baseUrl, apiKey, role], [0, url, KEY.slice(0, 12), 'admin']);
    assert.deepEqual(organization, { id: 'org_1', name: 'Acme', plan: 'enterprise' });
    const env = { PROBITY_BASE_URL: url };
    assert.equal((await home.run(['whoami'], { env })).code, 0);
  });

  it('others who can read it are warned of', async (t) => {
    const home = createHome(t);
    const { url } = await startCapturingServer(t, acceptKey);
    store(home.credentials, { apiKey: KEY, baseUrl: url });
    chmodSync(home.credentials, 0o644);
    const { code, stderr } = await home.run(['whoami']);
    assert.equal(code, 0);
    assert.match(stderr, /other users can read .*chmod 600/);
  });

  it('is removed by logout, and its absence is exit code 4', async (t) => {
    const home = createHome(t);
    store(home.credentials, { apiKey: KEY, baseUrl: null });
    assert.equal((await home.run(['logout'])).code, 0);
    assert.equal(existsSync(home.credentials), false);
    assert.equal((await home.run(['logout'])).stdout, 'No API key is stored.\n');
    const { code, stderr } = await home.run(['whoami']);
    assert.equal(code, 4);
    assert.match(stderr, /no API key: run `probity login`/);
  });

  it('a file that is damaged is named, without what it holds', async (t) => {
    const home = createHome(t);
    store(home.credentials, `{"apiKey": "${KEY}`);
    const { code, stderr } = await home.run(['whoami', '--debug']);
    assert.equal(code, 2);
    assert.match(stderr, /credentials\.json: it is not what `probity login` writes/);
    assert.ok(!stderr.includes(KEY.slice(4)));
  });
});
