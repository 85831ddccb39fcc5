import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { parseDockerfile, textsOf } from './dockerfile.ts';

const EXAMPLE = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = join(EXAMPLE, '../..');
const [build = [], run = []] = parseDockerfile(readFileSync(join(EXAMPLE, 'Dockerfile'), 'utf8'));

/** The user of the image, where the tests are run by root; else who runs them. */
const ROOT_USER = process.getuid?.() === 0;
const [USER = ''] = textsOf(run, 'USER');
const [UID, GID] = USER.split(':').map(Number) as [number, number];

/** The folders of the image, below a temporary one. */
interface Image {
  readonly app: string;
  readonly etc: string;
  readonly keys: string;
  readonly volume: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** An API key. */
  readonly token: string;
}

let installed: string | undefined;
after(() => {
  if (installed === undefined) return;
  chmodSync(installed, 0o755);
  rmSync(dirname(installed), { recursive: true, force: true });
});

/** The folder `/app` of the image, installed once for all tests of this file, which only read it. */
function appFolder(): string {
  if (installed !== undefined) return installed;
  const root = mkdtempSync(join(tmpdir(), 'probity-image-'));
  const [app, packs] = [join(root, 'app'), join(root, 'packs')];
  mkdirSync(app);
  mkdirSync(packs);
  install(app, packs);
  chmodSync(root, 0o755);
  chmodSync(app, 0o555);
  installed = app;
  return app;
}

/** Packs as the image does, and installs the packed files with what they declare, as npm would. */
function install(app: string, packs: string): void {
  const step = textsOf(build, 'RUN').find((text) => text.includes('npm pack')) ?? '';
  const packing = step.replace('mkdir /packs && ', '').replace('/packs', packs);
  execFileSync('sh', ['-c', `${packing} --ignore-scripts`], { cwd: ROOT, stdio: 'ignore' });
  for (const tarball of readdirSync(packs)) {
    const folder = join(packs, tarball.replace(/\.tgz$/, ''));
    mkdirSync(folder);
    execFileSync('tar', ['-xzf', join(packs, tarball), '-C', folder, '--strip-components=1']);
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const target = join(app, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    execFileSync('mv', [folder, target]);
  }
  const scope = join(app, 'node_modules/@probity');
  for (const name of readdirSync(scope)) {
    const manifest = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8'));
    const declared = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const needed of Object.keys(declared)) linkDependency(app, name, needed);
  }
}

/** What is not ours comes from this repository, of the version that the package of its folder would get. */
function linkDependency(app: string, owner: string, name: string): void {
  if (name.startsWith('@probity/')) return;
  const own = join(ROOT, 'packages', owner, 'node_modules', name);
  const isOwn = existsSync(own);
  const target = isOwn
    ? join(app, 'node_modules/@probity', owner, 'node_modules', name)
    : join(app, 'node_modules', name);
  const source = isOwn ? own : join(ROOT, 'node_modules', name);
  if (existsSync(target) || !existsSync(source)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(source, target);
}

function createImage(t: TestLifetime): Image {
  const locked: string[] = [];
  // Before the folder is removed: hooks run in the order in which they are set.
  t.after(() => {
    for (const folder of locked) chmodSync(folder, 0o755);
  });
  const { path: root } = temporaryFolder(t);
  const app = appFolder();
  const [etc, keys, volume] = ['etc', 'keys', 'volume'].map((name) => {
    const folder = join(root, name);
    mkdirSync(folder);
    return folder;
  }) as [string, string, string];
  const here = (text: string) =>
    text
      .replaceAll('/var/lib/probity-gateway', volume)
      .replaceAll('/etc/probity-keys', keys)
      .replaceAll('/etc/probity/', `${etc}/`)
      .replaceAll('/app/', `${app}/`);
  const env = Object.fromEntries(
    textsOf(run, 'ENV').map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), here(text.slice(at + 1))];
    }),
  );
  const [entry = '', given = ''] = [...textsOf(run, 'ENTRYPOINT'), ...textsOf(run, 'CMD')];
  const command = [...JSON.parse(entry), ...JSON.parse(given)].map(here).slice(1);
  writeFileSync(
    join(etc, 'gateway.yaml'),
    'server: {host: 127.0.0.1, port: 0, workers: 2}\n' +
      'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\naudit: {sample_rate: 1}\n',
  );
  const keyFile = join(keys, 'gateway-keys');
  writeFileSync(keyFile, '');
  const creating = [command[0] as string, 'key', 'create', '--file', keyFile];
  const token = execFileSync(process.execPath, creating, { encoding: 'utf8' }).trim();
  chmodSync(keyFile, 0o644);
  chmodSync(root, 0o755);
  for (const folder of [etc, keys]) {
    chmodSync(folder, 0o555);
    locked.push(folder);
  }
  chmodSync(volume, 0o700);
  if (ROOT_USER) chownSync(volume, UID, GID);
  return { app, etc, keys, volume, env, command, token };
}

/** Runs the program's file as the user of the image, by setpriv where root runs the tests. */
function asUser(command: readonly string[]): [program: string, args: string[]] {
  const whole = [process.execPath, ...command];
  if (!ROOT_USER) return [process.execPath, [...command]];
  const privileges = [`--reuid=${UID}`, `--regid=${GID}`, '--clear-groups', '--no-new-privs'];
  return ['setpriv', [...privileges, ...whole]];
}

test('what the image installs serves as its user, on a read-only file system but for its volume', async (t) => {
  const { app, etc, keys, volume, env, command, token } = createImage(t);
  const [program, args] = asUser(command);
  const gateway = await spawnProgram(program, args, { test: t, env: { ...env }, cwd: volume });
  const { url } = await gateway.waitForLine(({ message }) => message === 'listening');
  assert.equal((await fetch(`${url}/ready`)).status, 200);
  const scanned = await fetch(`${url}/api/v1/governance/scan`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ response: 'Write to bob@example.com.' }),
  });
  assert.equal(((await scanned.json()) as { data: { verdict: string } }).data.verdict, 'flagged');
  assert.equal(await gateway.terminate(), 0);
  assert.ok(existsSync(join(volume, 'audit.db')));
  // Personal data was found, whose value is recorded by a key that must outlive the container.
  assert.ok(existsSync(join(volume, 'state/gateway.key')));
  assert.ok(!gateway.stdout.includes('cannot be stored'));
  assert.deepEqual(readdirSync(etc), ['gateway.yaml']);
  assert.deepEqual(readdirSync(keys), ['gateway-keys']);
  assert.deepEqual(readdirSync(app), ['node_modules']);
});

test('as the first process of a container it ends in order by SIGTERM', async (t) => {
  const { volume, env, command } = createImage(t);
  // Needs the right to make a namespace of processes, by itself or within one of users.
  const namespace = ROOT_USER ? [] : ['--user', '--map-root-user'];
  const own = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, ...command];
  const child = spawn('unshare', [...namespace, ...own], {
    cwd: volume,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('"listening"')) resolve();
    });
  });
  const [first = ''] = execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const ended = new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('close', resolve);
  });
  process.kill(Number(first), 'SIGTERM');
  assert.equal(await ended, 0, output);
  assert.match(output, /"message":"stopped"/);
});
