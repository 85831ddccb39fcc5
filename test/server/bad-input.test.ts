import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { run, serve, spawnServer } from './support.ts';

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string | undefined>;
  readonly says: RegExp;
  readonly code?: number;
}

/** Below the folder of the test. */
const UNUSED = 'sqlite:unused/probity.db';

const cases: readonly Case[] = [
  {
    name: 'an unknown flag',
    args: ['serve', '--prot', '1'],
    says: /unknown option '--prot'/,
    code: 2,
  },
  { name: 'an unknown command', args: ['sevre'], says: /unknown command 'sevre'/, code: 2 },
  {
    name: 'a name of two lines',
    args: [
      ...['bootstrap', '--organization', 'Ac\nme', '--owner-email', 'ann@acme.example'],
      ...['--database', UNUSED],
    ],
    says: /--organization: must be a name of 1 to 100 characters on one line/,
  },
  {
    name: 'an invalid port',
    args: ['serve', '--port', 'http'],
    says: /--port: must be a port/,
  },
  {
    name: 'an invalid port variable',
    args: ['serve'],
    env: { PROBITY_PORT: '70000' },
    says: /PROBITY_PORT: must be a port .* not "70000"/,
  },
  {
    name: 'an unknown role',
    args: ['serve', '--role', 'both'],
    says: /--role: must be one of all, api, worker/,
  },
  {
    name: 'an unknown kind of database',
    args: ['serve', '--database', 'mysql://localhost/x'],
    says: /--database: must be sqlite:PATH or postgres:/,
  },
  {
    name: 'a malformed encryption key',
    args: ['serve', '--database', UNUSED],
    env: { PROBITY_ENCRYPTION_KEY: 'c2hvcnQ=' },
    says: /PROBITY_ENCRYPTION_KEY: must be 32 bytes in base64/,
  },
  {
    name: 'a missing encryption key on PostgreSQL',
    args: ['serve', '--database', 'postgres://nobody@127.0.0.1:1/none'],
    env: { PROBITY_ENCRYPTION_KEY: undefined },
    says: /PROBITY_ENCRYPTION_KEY: is required with PostgreSQL/,
  },
  {
    name: 'an unreachable PostgreSQL',
    args: ['serve', '--database', 'postgres://nobody:s3cret@127.0.0.1:1/none'],
    says: /The PostgreSQL database none at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
  },
  {
    name: 'invalid rate limits',
    args: ['serve', '--database', UNUSED],
    env: { PROBITY_RATE_LIMITS: 'general=many' },
    says: /PROBITY_RATE_LIMITS: "general=many" is not of the form/,
  },
  {
    name: 'an invalid egress list',
    args: ['serve', '--database', UNUSED],
    env: { PROBITY_WEBHOOKS_EGRESS_ALLOW: 'localhost:1' },
    says: /PROBITY_WEBHOOKS_EGRESS_ALLOW: .*localhost/,
  },
  {
    name: 'a public address with a query',
    args: ['serve', '--public-url', 'https://a.example/?b=1'],
    says: /--public-url: must be an http or https address/,
  },
  {
    name: 'a bootstrap without an owner',
    args: ['bootstrap', '--organization', 'A'],
    says: /required option '--owner-email <email>' not specified/,
    code: 2,
  },
  {
    name: 'an owner without an e-mail address',
    args: ['bootstrap', '--organization', 'A', '--owner-email', 'ann', '--database', UNUSED],
    says: /--owner-email: must be an e-mail address, not "ann"/,
  },
  {
    name: 'a backup without a file',
    args: ['backup'],
    says: /missing required argument 'file'/,
    code: 2,
  },
  {
    name: 'a backup of a missing database',
    args: ['backup', 'copy.db', '--database', UNUSED],
    says: /There is no database file \S*unused\/probity\.db/,
  },
  {
    name: 'retention without an action',
    args: ['retention', 'now'],
    says: /unknown command 'now'/,
    code: 2,
  },
  {
    name: 'retention on a missing database',
    args: ['retention', 'run', '--database', UNUSED],
    says: /There is no database file/,
  },
  {
    name: 'a key rotation with one key',
    args: ['keys', 'rotate', '--database', UNUSED],
    says: /PROBITY_ENCRYPTION_KEY: must hold the new key and the present one/,
  },
  {
    name: 'a key rotation on a missing database',
    args: ['keys', 'rotate', '--database', UNUSED],
    env: { PROBITY_ENCRYPTION_KEY: undefined },
    says: /There is no database file/,
  },
  {
    name: 'an unknown flag of a nested command',
    args: ['keys', 'rotate', '--now'],
    says: /unknown option '--now'/,
    code: 2,
  },
  {
    name: 'an unknown plan',
    args: ['bootstrap', '--organization', 'A', '--owner-email', 'a@b.example', '--plan', 'gold'],
    says: /--plan: must be one of free, starter, professional, enterprise/,
  },
];

describe('probity-server', () => {
  for (const { name, args, env, says, code = 1 } of cases) {
    it(`probity-server refuses ${name} in one line and creates no files`, async (t) => {
      const folder = temporaryFolder(t).path;
      const locationOf = (path: string) => `sqlite:${join(folder, path)}`;
      const given = args.map((arg) => (arg === UNUSED ? locationOf('unused/probity.db') : arg));
      const variables = { PROBITY_DATABASE_URL: locationOf('probity.db'), ...env };
      const program = run(t, given, variables);
      assert.equal(await program.exited, code);
      assert.match(program.stderr, says);
      assert.equal(program.stderr.trim().split('\n').length, 1, program.stderr);
      assert.equal(program.stdout, '');
      assert.doesNotMatch(program.stderr, /s3cret/);
      assert.deepEqual(readdirSync(folder), []);
    });
  }

  it('probity-server names a database path that cannot be written', async (t) => {
    const folder = temporaryFolder(t).path;
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'taken.db'));
    for (const path of [join(folder, 'file', 'probity.db'), join(folder, 'taken.db')]) {
      const program = run(t, ['serve', '--database', `sqlite:${path}`]);
      assert.equal(await program.exited, 1);
      assert.ok(program.stderr.includes(folder), program.stderr);
      assert.equal(program.stderr.trim().split('\n').length, 1, program.stderr);
    }
    assert.deepEqual(readdirSync(folder).sort(), ['file', 'taken.db']);
  });

  it('probity-server names a folder that cannot be created', async (t) => {
    const program = run(t, ['serve', '--database', 'sqlite:/proc/none/probity.db']);
    assert.equal(await program.exited, 1);
    assert.match(
      program.stderr,
      /The folder \/proc\/none for the file \/proc\/none\/probity\.db cannot be created/,
    );
  });

  it('probity-server warns of a mistyped variable with the likely name, and of no other', async (t) => {
    const env = { PROBITY_DATABSE_URL: 'postgres://db/x', PROBITY_BASE_URL: 'https://a.example' };
    const program = run(
      t,
      ['jobs', 'list', '--database', `sqlite:${temporaryFolder(t).path}/a.db`],
      env,
    );
    assert.equal(await program.exited, 1);
    const [warning, failure] = program.stderr.split('\n');
    assert.equal(
      warning,
      'probity-server: warning: PROBITY_DATABSE_URL is not a setting. Did you mean PROBITY_DATABASE_URL?',
    );
    assert.match(failure ?? '', /There is no database file/);
  });

  it('probity-server names a port that is in use and creates no files', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const folder = temporaryFolder(t).path;
    const variables: Array<[string, Record<string, string>]> = [
      ['probity-server: ', { PROBITY_PORT: String(port) }],
      [
        'probity-server: PROBITY_METRICS_PORT: ',
        { PROBITY_PORT: '0', PROBITY_METRICS_PORT: String(port) },
      ],
    ];
    for (const [setting, env] of variables) {
      const program = await spawnServer(t, ['serve'], env, folder);
      assert.equal(await program.exited, 1);
      assert.match(
        program.stderr,
        new RegExp(`^${setting}Port ${port} on 127.0.0.1 cannot be used: .*EADDRINUSE`),
      );
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  it('probity-server names a key file without a key', async (t) => {
    const folder = temporaryFolder(t).path;
    const path = join(folder, 'probity.db');
    writeFileSync(`${path}.key`, 'not a key');
    const args = ['serve', '--database', `sqlite:${path}`];
    const program = run(t, args, { PROBITY_ENCRYPTION_KEY: undefined });
    assert.equal(await program.exited, 1);
    assert.match(program.stderr, /encryption key in .*probity\.db\.key cannot be used: must be 32/);
    assert.equal(existsSync(path), false);
  });

  it('probity-server refuses to start without the key under which its secrets are sealed', async (t) => {
    const folder = temporaryFolder(t).path;
    const location = `sqlite:${join(folder, 'probity.db')}`;
    const env = { PROBITY_ENCRYPTION_KEY: undefined };
    const first = await serve(t, location, { env });
    await first.program.terminate();
    rmSync(join(folder, 'probity.db.key'));
    const lost = run(t, ['serve', '--port', '0', '--database', location], env);
    assert.equal(await lost.exited, 1);
    assert.match(lost.stderr, /key file is missing: restore .*probity\.db\.key/);
    assert.equal(existsSync(join(folder, 'probity.db.key')), false);
    const other = run(t, ['serve', '--port', '0', '--database', location]);
    assert.equal(await other.exited, 1);
    assert.match(other.stderr, /not under \w{8}, .*: set PROBITY_ENCRYPTION_KEY to that key/);
  });

  it('probity-server names a file that is not a database', async (t) => {
    const path = join(temporaryFolder(t).path, 'notes.txt');
    writeFileSync(path, 'These are notes and not a database, and they are to stay as they are.');
    const program = run(t, ['serve', '--database', `sqlite:${path}`]);
    assert.equal(await program.exited, 1);
    assert.match(program.stderr, /notes\.txt .*not a database/);
  });
});
