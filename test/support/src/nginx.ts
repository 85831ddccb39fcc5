import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { testCertificate } from './certificate.ts';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { startSupervised } from './supervisor.ts';
import type { TestLifetime } from './temporary-folder.ts';
import { PATIENCE_MS } from './until.ts';

/** An nginx that serves a file of the repository. */
export interface NginxServer {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Certificate of the authority that clients must trust, PEM. */
  readonly authority: string;
}

/** Debian installs it where only root looks. */
function findNginx(): string | undefined {
  return findProgram(['nginx'], [process.env.PATH ?? '', '/usr/sbin'].join(delimiter));
}

/** Why tests behind nginx cannot run here, for the `skip` option of a test; see `redisMissing`. */
export function nginxMissing(): string | false {
  return process.env.CI || findNginx() ? false : 'no nginx on PATH (apt install nginx)';
}

/**
 * Starts nginx with a site file as it is, except for its ports, its upstream and its certificate. It
 * ends with `test`.
 *
 * @throws Error when nginx is missing.
 */
export async function startNginx(
  site: string,
  upstream: URL,
  test: TestLifetime,
): Promise<NginxServer> {
  const command = findNginx();
  if (!command) throw new Error('Tests need nginx and found none: apt install nginx.');
  const folder = mkdtempSync(join(tmpdir(), 'probity-nginx-'));
  const [plain, secure] = [await freePort(), await freePort()];
  const certificate = await testCertificate();
  writeFileSync(join(folder, 'cert.pem'), certificate.certificate);
  writeFileSync(join(folder, 'key.pem'), certificate.key, { mode: 0o600 });
  const local = site
    .replace('server 127.0.0.1:3000;', `server ${upstream.host};`)
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443', `listen 127.0.0.1:${secure}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = [
    ...['daemon off;', `pid ${folder}/nginx.pid;`, 'error_log stderr notice;', 'events {}'],
    ...[
      'http {',
      'access_log off;',
      ...paths.map((each) => `${each}_temp_path ${folder}/${each};`),
    ],
    ...[local, '}'],
  ];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `${main.join('\n')}\n`);
  const server = await startSupervised({
    command,
    args: ['-c', file],
    folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stopSignal: 'QUIT',
    readyText: 'start worker process ',
    timeoutMs: PATIENCE_MS,
  });
  test.after(server.stop);
  return { url: `https://127.0.0.1:${secure}`, authority: certificate.authority };
}
