import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program, TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import { run, start } from '../program/run.ts';

/** The number of serving processes. */
export const WORKERS = 3;

/** Free ports on the loopback interface for that many processes. */
const CLUSTER =
  `server: {host: 127.0.0.1, port: 0, workers: ${WORKERS}}\n` +
  'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n';

/** The real program with several processes. */
export interface Cluster {
  readonly program: Program;
  readonly folder: string;
  readonly url: string;
  readonly grpcAddress: string;
  readonly token: string;
  /** An API key with the role admin. */
  readonly admin: string;
  write(text: string): void;
  /** Sends a request on a connection of its own, so that all processes get some. */
  send(path: string, init?: RequestInit): Promise<Response>;
  scan(body: object | string, headers?: Record<string, string>): Promise<Response>;
  reload(): Promise<Response>;
  /** The sum of a metric over all its series that contain `labels`. */
  metric(name: string, labels?: string): Promise<number>;
  /** The process ids of the serving processes. */
  workers(): number[];
  /** Starts it again on the same files, after its end. */
  startAgain(): Promise<Cluster>;
  /** The process id of the one that is ready to take the place of one that ends, if there is one yet. */
  spares(): number[];
}

/** Starts it; it is killed after the test. */
export async function startCluster(
  t: TestLifetime,
  text = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const folder = temporaryFolder(t).path;
  const file = join(folder, 'gateway.yaml');
  const write = (next: string) => writeFileSync(file, CLUSTER + next);
  write(text);
  const create = async (...more: string[]) =>
    (await run(['key', 'create', '--config', file, ...more])).stdout.trim();
  const token = await create('--name', 'app');
  const admin = await create('--name', 'ops', '--role', 'admin');
  return open({ t, folder, file, write, token, admin, env });
}

interface ClusterFiles {
  readonly t: TestLifetime;
  readonly folder: string;
  readonly file: string;
  write(text: string): void;
  readonly token: string;
  readonly admin: string;
  readonly env: Readonly<Record<string, string>>;
}

async function open(files: ClusterFiles): Promise<Cluster> {
  const { t, folder, file, write, token, admin, env } = files;
  const program = await start(['--config', file, '--enable-reload'], { test: t, env });
  const listening = await program.waitForLine(({ message }) => message === 'listening');
  const url = String(listening.url);
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { ...init.headers, Connection: 'close' } });
  return {
    ...{ program, folder, url, token, admin, write, send },
    grpcAddress: String(listening.grpc),
    scan: (body, headers = { Authorization: `Bearer ${token}` }) =>
      send('/api/v1/governance/scan', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    reload: () =>
      send('/reload-config', { method: 'POST', headers: { Authorization: `Bearer ${admin}` } }),
    async metric(name, labels = '') {
      const response = await fetch(`${listening.metrics_url}/metrics`);
      const lines = (await response.text()).split('\n');
      const series = lines.filter(
        (line) => new RegExp(`^${name}[ {]`).test(line) && line.includes(labels),
      );
      assert.ok(series.length > 0, name);
      return series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    workers: () => processesOf(program.pid, 'worker'),
    spares: () => processesOf(program.pid, 'spare'),
    startAgain: () => open(files),
  };
}

function processesOf(primary: number, role: string): number[] {
  return execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(primary)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`probity-gateway ${role}`))
    .map(Number.parseFloat);
}
