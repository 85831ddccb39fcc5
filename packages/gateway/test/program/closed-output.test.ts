import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { LOOPBACK } from '../world.ts';
import { PROGRAM, run } from './run.ts';

/** Serves with pipes whose readers the test closes. */
async function serve(t: TestContext, logging: string, workers: number) {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const server = LOOPBACK.replace('workers: 2', `workers: ${workers}`);
  writeFileSync(file, `${server}logging: ${logging}\nrate_limiting: {enabled: false}\n`);
  const key = (await run(['key', 'create', '--config', file, '--name', 'app'])).stdout.trim();
  const child = spawn(process.execPath, [PROGRAM, '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const scan = async (url: string) => {
    const response = await fetch(`${url}/api/v1/governance/scan`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ response: 'Hello there.' }),
    });
    assert.equal(response.status, 200);
    return response.text();
  };
  return { child, exited, scan, stderr: () => stderr };
}

const urlIn = (text: string) => /"url":"([^"]+)"/.exec(text)?.[1];

async function urlFrom(stream: Readable): Promise<string> {
  let text = '';
  for await (const part of stream.iterator({ destroyOnReturn: false })) {
    text += String(part);
    const url = urlIn(text);
    if (url !== undefined) return url;
  }
  throw new Error(`the program does not listen: ${text}`);
}

for (const workers of [1, 2]) {
  test(`a reader of standard output that goes away ends nothing: workers ${workers}`, async (t) => {
    const syslog = createSocket('udp4').bind(0, '127.0.0.1');
    t.after(() => syslog.close());
    await once(syslog, 'listening');
    const settings = `{syslog_enabled: true, syslog_host: 127.0.0.1, syslog_port: ${syslog.address().port}}`;
    const { child, exited, scan, stderr } = await serve(t, settings, workers);
    const url = await urlFrom(child.stdout);
    child.stdout.destroy();
    for (let count = 0; count < 20; count++) {
      const received = once(syslog, 'message');
      await scan(url);
      await received;
    }
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    const complaints = stderr().match(/standard output is written no more/g);
    assert.equal(complaints?.length, 1, stderr());
  });
}

test('the file of the log goes on where no one reads either output', async (t) => {
  const log = join(temporaryFolder(t).path, 'gateway.log');
  const { child, exited, scan } = await serve(t, `{file: ${log}}`, 1);
  child.stdout.destroy();
  child.stderr.destroy();
  const url = await urlOnceIn(log);
  for (let count = 0; count < 5; count++) await scan(url);
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
  assert.equal(readFileSync(log, 'utf8').match(/"message":"scan"/g)?.length, 5);
});

async function urlOnceIn(file: string): Promise<string> {
  for (;;) {
    const url = existsSync(file) ? urlIn(readFileSync(file, 'utf8')) : undefined;
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('--validate-config has its exit code whatever is read of what it says', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.yaml');
  const wrong = Array.from({ length: 3_000 }, (_, at) => `key_${at}: 1`).join('\n');
  const commands: readonly [text: string, code: number][] = [
    ['logging: {level: WARN}', 0],
    [wrong, 1],
  ];
  for (const [text, code] of commands) {
    writeFileSync(file, text);
    // A pipe that is closed before, and one that is closed within what is written.
    for (const reader of ['true', 'head -1']) {
      const command = `"$0" "$1" --validate-config "$2" 2>&1 | ${reader} >&2; exit "\${PIPESTATUS[0]}"`;
      const child = spawn('bash', ['-c', command, process.execPath, PROGRAM, file], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        said += part;
      });
      assert.deepEqual(await once(child, 'close'), [code, null], `${reader}: ${said}`);
      assert.equal(said.split('\n').length, reader === 'true' ? 1 : 2, said);
    }
  }
});
