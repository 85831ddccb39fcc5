import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { startHttpsReceiver, until } from '@probity/test-support';
import { EXIT, EXIT_CODES } from '../../src/exit-codes.ts';
import type { Reply } from '../capturing-server.ts';
import { errorReply, pageOf, startCapturingServer } from '../capturing-server.ts';
import { createHome, KEY, onTerminal, PROGRAM } from '../program.ts';

function alert(index: number, message = 'Personal data (ssn) in response.') {
  return {
    ...{ id: `alr_${index}`, type: 'pii', severity: 'high', status: 'open', message },
    ...{ scanId: 'scn_1', createdAt: '2026-01-31T00:00:00.000Z' },
    ...{ resolvedAt: null, resolution: null },
  };
}

async function start(t: TestContext, answer: () => Reply | Promise<Reply>) {
  const { url, requests } = await startCapturingServer(t, answer);
  return { requests, home: createHome(t), env: { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url } };
}

describe('output', () => {
  it('that is piped is JSON Lines, of as many items as --limit says, over several pages', async (t) => {
    let page = 0;
    const { requests, home, env } = await start(t, () => {
      page += 1;
      const data = Array.from({ length: 200 }, (_, index) => alert(page * 1000 + index));
      return { body: { data, total: 600, limit: 200, offset: (page - 1) * 200, has_more: true } };
    });
    const filters = ['--status', 'open', '--severity', 'high', '--type', 'pii'];
    const { code, stdout } = await home.run(['alerts', '--limit', '250', ...filters], { env });
    assert.equal(code, 0);
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual([lines.length, JSON.parse(lines[0] ?? '')], [250, alert(1000)]);
    assert.equal(requests.length, 2);
    const query = new URL(requests[0]?.path ?? '', 'http://a').searchParams;
    const sent = Object.fromEntries(query);
    assert.deepEqual(sent, { status: 'open', severity: 'high', type: 'pii', limit: '200' });
  });

  it('whose reader ends early is no failure', async (t) => {
    const many = Array.from({ length: 50 }, (_, index) => alert(index, 'x'.repeat(20_000)));
    const { home, env } = await start(t, () => ({ body: pageOf(many) }));
    const program = home.start(['alerts'], { env });
    await until(() => program.stdout.length > 0, 'a part of the output');
    program.closeOutput();
    const { code, stderr } = await program.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('that cannot be written is exit code 2, and no success', async (t) => {
    if (!existsSync('/dev/full')) return t.skip('there is no /dev/full: NOT tried');
    const { home, env } = await start(t, () => ({ body: pageOf([alert(1)]) }));
    const line = `'${process.execPath}' '${PROGRAM}' alerts > /dev/full`;
    const child = spawn('sh', ['-c', line], { env: { ...env, HOME: home.path } });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    assert.deepEqual(
      [code, stderr],
      [2, 'probity: cannot write the output: no space left on the device\n'],
    );
  });

  it('on a terminal is a table, with colors unless NO_COLOR is set', async (t) => {
    const message = 'Found \u001b[2J in a response. '.repeat(9);
    const { env } = await start(t, () => ({ body: pageOf([alert(1, message)]) }));
    const colored = await onTerminal(['alerts'], env);
    if (colored === null) return t.skip('there is no script(1): the terminal was NOT tried');
    assert.ok(colored.startsWith('\u001b[2mcreated'), colored);
    assert.ok(colored.includes('\u001b[31mhigh '), colored);
    const plain = (await onTerminal(['alerts'], { ...env, NO_COLOR: '1' })) ?? '';
    assert.ok(!plain.includes('\u001b'), plain);
    assert.match(plain, /^created +severity +type +status +id +message\n/);
    assert.match(
      plain,
      /^2026-01-31T00:00:00.000Z +high +pii +open +alr_1 +Found \ufffd\[2J in.*…\n$/m,
    );
    const empty = await startCapturingServer(t, () => ({ body: pageOf([]) }));
    assert.equal(
      await onTerminal(['alerts'], { ...env, PROBITY_BASE_URL: empty.url, NO_COLOR: '1' }),
      'none\n',
    );
  });
});

describe('a server', () => {
  const hostile = 'a\u001b]0;title\u0007b\u009b2Jc\u202ed';

  it('gives no commands to the terminal, in whatever it answers', async (t) => {
    const caller = { organizationId: hostile, memberId: hostile, role: hostile, plan: hostile };
    const verification = {
      ...{ valid: true, nodes: hostile, records: hostile, removedThrough: 0, fault: null },
      end: { sequence: hostile, hash: hostile },
    };
    const { url } = await startCapturingServer(t, ({ path }) => {
      if (path.includes('/whoami')) return { body: { data: { ...caller, credential: 'key' } } };
      if (path.includes('/verify')) return { body: { data: verification } };
      return path.includes('/alerts')
        ? { body: pageOf([alert(1, hostile)]) }
        : errorReply(404, hostile, hostile);
    });
    const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url, NO_COLOR: '1' };
    const commands = [
      ['whoami'],
      ['evidence', 'verify'],
      ['alerts', '--json'],
      ['ai-systems', 'list'],
    ];
    for (const args of commands) {
      const shown = await onTerminal(args, env);
      if (shown === null) return t.skip('there is no script(1): the terminal was NOT tried');
      assert.ok(shown.includes('2Jc'), `${args}: ${shown}`);
      assert.doesNotMatch(shown, /(?!\n)[\p{Cc}\u202e]/u, `${args}`);
    }
  });

  it('gives none to the reader of a log either, where text is printed', async (t) => {
    const fault = { sequence: hostile, reason: hostile };
    const verification = {
      valid: false,
      nodes: 1,
      records: 1,
      removedThrough: 0,
      fault,
      end: null,
    };
    const { home, env } = await start(t, () => ({ body: { data: verification } }));
    const { code, stdout } = await home.run(['evidence', 'verify'], { env });
    assert.equal(code, 1);
    assert.doesNotMatch(stdout, /(?!\n)[\p{Cc}\u202e]/u);
  });
});

describe('the program', () => {
  it('is interrupted by SIGINT with exit code 130 and without a word', async (t) => {
    const { requests, home, env } = await start(t, () => new Promise<Reply>(() => {}));
    const program = home.start(['alerts'], { env });
    await until(() => requests.length > 0, 'a request');
    program.kill('SIGINT');
    assert.deepEqual(await program.ended, { code: 130, stdout: '', stderr: '' });
  });

  it('prints no stack, and with --debug one without the key', async (t) => {
    const { home, env } = await start(t, () =>
      errorReply(500, 'INTERNAL_ERROR', `It failed for Bearer ${KEY}.`),
    );
    const plain = await home.run(['alerts'], { env });
    assert.equal(plain.code, 5);
    assert.match(
      plain.stderr,
      /^probity: It failed for Bearer .* \(INTERNAL_ERROR, request \S+\)\n$/,
    );
    const debug = await home.run(['alerts', '--debug'], { env });
    assert.match(debug.stderr, / {4}at .*\n/);
    assert.ok(!debug.stderr.includes(KEY) && !plain.stderr.includes(KEY));
  });

  it('says for a server that is no Probity that the address may be wrong', async (t) => {
    const { home, env } = await start(t, () => ({ body: { hello: 'world' } }));
    const { code, stderr } = await home.run(['alerts'], { env });
    assert.equal(code, 5);
    assert.match(stderr, /not one of the API/);
  });

  for (const [args, code, stream, text] of [
    [['--help'], 0, 'stdout', /Usage: probity \[options\] \[command\][\s\S]*Exit codes:/],
    [['--version'], 0, 'stdout', /^\d+\.\d+\.\d+\n$/],
    [['evidence', 'verify', '--help'], 0, 'stdout', /Examples:\n/],
    [['help', 'scan'], 0, 'stdout', /Usage: probity scan/],
    [[], 2, 'stderr', /Usage: probity/],
    [['evidence'], 2, 'stderr', /Usage: probity evidence/],
    [['scann'], 2, 'stderr', /^probity: unknown command 'scann'\n\(Did you mean scan\?\)\n/],
    [['alerts', '--statu', 'open'], 2, 'stderr', /unknown option '--statu'/],
    [['alerts', '--limit', '0'], 2, 'stderr', /Expected a whole number from 1/],
    [['alerts', '--base-url', 'x'], 2, 'stderr', /--base-url: expected an address/],
    [['alerts'], 4, 'stderr', /no API key/],
  ] as const) {
    it(`probity ${args.join(' ')} is exit code ${code}`, async (t) => {
      const ran = await createHome(t).run(args);
      assert.equal(ran.code, code, ran.stderr);
      assert.match(ran[stream], text);
      assert.equal(ran[stream === 'stdout' ? 'stderr' : 'stdout'], '');
    });
  }

  it('has the same exit codes in its help and in the documents', async (t) => {
    const { stdout } = await createHome(t).run(['--help']);
    const help = EXIT_CODES.map(([code, text]) => `  ${String(code).padEnd(4)} ${text}`).join('\n');
    assert.ok(stdout.includes(`Exit codes:\n${help}`), stdout);
    const rows = EXIT_CODES.map(([code, text]) => `| ${code} | ${text} |`).join('\n');
    for (const path of ['packages/cli/README.md', 'docs/cli.md']) {
      const text = readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
      assert.ok(text.replaceAll('`', '').includes(rows), `${path} lacks:\n${rows}`);
    }
  });
});

it('names the variable that trusts the unknown authority of a certificate', async (t) => {
  const server = await startHttpsReceiver({ test: t });
  const home = createHome(t);
  const env = { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: server.url };
  const { code, stderr } = await home.run(['whoami'], { env });
  assert.equal(code, EXIT.network);
  assert.match(stderr, /certificate.*; name the file of your own authority in NODE_EXTRA_CA_CERTS/);
  assert.deepEqual(server.requests, []);
});
