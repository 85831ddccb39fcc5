import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnProgram, temporaryFolder } from '@probity/test-support';

const EXAMPLE = fileURLToPath(new URL('../../', import.meta.url));
const { resolve } = createRequire(import.meta.url);
const GATEWAY = join(dirname(resolve('@probity/gateway/package.json')), 'bin/probity-gateway.js');

test('start.sh makes a key and serves, scan.sh passes what is clean and fails for what is blocked', async (t) => {
  const { path: folder } = temporaryFolder(t);
  // On the path as an installation makes it.
  symlinkSync(GATEWAY, join(folder, 'probity-gateway'));
  const ports = { GATEWAY_HTTP_PORT: '0', GATEWAY_GRPC_PORT: '0', GATEWAY_METRICS_PORT: '0' };
  const env = {
    ...ports,
    GATEWAY_FOLDER: folder,
    PATH: [folder, process.env.PATH].join(delimiter),
  };
  const program = await spawnProgram(join(EXAMPLE, 'start.sh'), [], { test: t, env });
  const { url } = await program.waitForLine(({ message }) => message === 'listening');
  const scan = (text: string) =>
    new Promise<{ code: number; body: string }>((done) => {
      const { port: GATEWAY_HTTP_PORT } = new URL(String(url));
      const options = { env: { ...env, GATEWAY_HTTP_PORT } };
      execFile(join(EXAMPLE, 'scan.sh'), [text], options, (error, body) =>
        done({ code: error === null ? 0 : Number(error.code), body }),
      );
    });
  const clean = await scan('The bridge is "open".');
  assert.equal(clean.code, 0, clean.body);
  assert.equal(JSON.parse(clean.body).data.verdict, 'allowed');
  const blocked = await scan('Write to bob@example.com.');
  assert.notEqual(blocked.code, 0);
  assert.equal(JSON.parse(blocked.body).error.code, 'PII_DETECTED');
  assert.equal(await program.terminate(), 0);
  const left = await new Promise<string>((done) =>
    execFile('ls', ['-A', EXAMPLE], (_, names) => done(names)),
  );
  assert.doesNotMatch(left, /gateway\.db|gateway\.key/);
});
