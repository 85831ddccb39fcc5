import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { until } from '@probity/test-support';
import { createHome, KEY } from '../program.ts';

async function start(t: TestContext, answer: (response: ServerResponse) => void) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/csv' });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { paths, home: createHome(t), env: { PROBITY_API_KEY: KEY, PROBITY_BASE_URL: url } };
}

describe('export of evidence', () => {
  it('is written as it arrives, in the format and with the filters that are named', async (t) => {
    const { home, env, paths } = await start(t, (response) => {
      const bytes = Buffer.from('title\n"a €"\n');
      response.write(bytes.subarray(0, 9));
      setImmediate(() => response.end(bytes.subarray(9)));
    });
    const args = [
      'evidence',
      'export',
      '--format',
      'csv',
      '--framework',
      'soc-2',
      '--label',
      'a=b',
    ];
    const { code, stdout } = await home.run(args, { env });
    assert.deepEqual([code, stdout], [0, 'title\n"a €"\n']);
    const query = Object.fromEntries(new URL(paths[0] ?? '', 'http://a').searchParams);
    assert.deepEqual(query, { framework: 'SOC 2', label: 'a:b', format: 'csv' });
    assert.equal((await home.run(['evidence', 'export', '--format', 'oscal'], { env })).code, 0);
    assert.equal(paths[1], '/api/v1/compliance/export?format=oscal');
  });

  it('to a file replaces it when the export is whole', async (t) => {
    const { home, env } = await start(t, (response) => void response.end('new\n'));
    const path = `${home.path}/evidence.csv`;
    writeFileSync(path, 'old\n');
    const args = ['evidence', 'export', '--format', 'csv', '--output', 'evidence.csv'];
    const { code, stdout, stderr } = await home.run(args, { env });
    assert.deepEqual([code, stdout, stderr], [0, '', 'evidence.csv: 4 bytes\n']);
    assert.equal(readFileSync(path, 'utf8'), 'new\n');
  });

  it('that breaks off is exit code 3, and leaves the file as it was', async (t) => {
    const { home, env } = await start(t, (response) => {
      response.write('half of');
      setImmediate(() => response.destroy());
    });
    const path = `${home.path}/evidence.jsonl`;
    const args = ['evidence', 'export', '-o', 'evidence.jsonl'];
    const { code, stderr } = await home.run(args, { env });
    assert.equal(code, 3, stderr);
    assert.equal(existsSync(path), false);
    writeFileSync(path, 'old\n');
    assert.equal((await home.run(args, { env })).code, 3);
    assert.equal(readFileSync(path, 'utf8'), 'old\n');
    assert.deepEqual(
      readdirSync(home.path).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('follows a symbolic link, and replaces neither a folder nor a device', async (t) => {
    const { home, env, paths } = await start(t, (response) => void response.end('new\n'));
    writeFileSync(`${home.path}/real.jsonl`, 'old\n');
    symlinkSync('real.jsonl', `${home.path}/link.jsonl`);
    const run = (output: string) => home.run(['evidence', 'export', '-o', output], { env });
    assert.equal((await run('link.jsonl')).code, 0);
    assert.equal(readFileSync(`${home.path}/real.jsonl`, 'utf8'), 'new\n');
    assert.ok(lstatSync(`${home.path}/link.jsonl`).isSymbolicLink());
    for (const output of ['.', '/dev/null']) {
      const { code, stderr } = await run(output);
      assert.equal(code, 2);
      assert.match(stderr, /^probity: --output: \S+ is no file; without --output/);
    }
    assert.equal(paths.length, 1);
  });

  it('into a folder that is not there is exit code 2, before the server is asked', async (t) => {
    const { home, env, paths } = await start(t, (response) => void response.end('new\n'));
    const args = ['evidence', 'export', '--output', 'no/evidence.jsonl'];
    const { code, stderr } = await home.run(args, { env });
    assert.deepEqual(
      [code, stderr, paths],
      [2, 'probity: --output: cannot write no/evidence.jsonl: no such folder\n', []],
    );
  });

  it('whose reader ends early ends the request', async (t) => {
    let isClosed = false;
    const { home, env } = await start(t, (response) => {
      const write = (): void => {
        while (response.writable && response.write('x'.repeat(65_536)));
        response.once('drain', write);
      };
      response.once('close', () => {
        isClosed = true;
      });
      write();
    });
    const program = home.start(['evidence', 'export'], { env });
    await until(() => program.stdout.length > 0, 'a part of the export');
    program.closeOutput();
    const { code, stderr } = await program.ended;
    assert.deepEqual([code, stderr], [0, '']);
    await until(() => isClosed, 'the end of the request');
  });
});
