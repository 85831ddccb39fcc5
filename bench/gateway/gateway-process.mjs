import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(
  new URL('../../packages/gateway/bin/probity-gateway.js', import.meta.url),
);

/** What every configuration begins with. */
export function head(workers) {
  return (
    `server: {host: 127.0.0.1, port: 0, workers: ${workers}}\n` +
    'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n'
  );
}

/** Starts the real program; its log goes to a file, as a service's does. */
export async function startGateway(workers, text = 'rate_limiting: {enabled: false}\n') {
  const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
  const file = join(folder, 'gateway.yaml');
  const write = (next) => writeFileSync(file, head(workers) + next);
  write(text);
  const run = (...args) =>
    execFileSync(process.execPath, [PROGRAM, ...args, '--config', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const key = run('key', 'create', '--name', 'app');
  const admin = run('key', 'create', '--name', 'ops', '--role', 'admin');
  const child = spawn(process.execPath, [PROGRAM, '--config', file, '--enable-reload'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listening = await new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const record = JSON.parse(line);
      if (record.message === 'listening') resolve(record);
    });
  });
  const pidsOf = (role) => {
    const args = ['-f', '-P', String(child.pid), `probity-gateway ${role}`];
    const { stdout } = spawnSync('pgrep', args, { encoding: 'utf8' });
    return stdout.split('\n').filter(Boolean).map(Number);
  };
  const pids = () => pidsOf('worker');
  return {
    child,
    write,
    key,
    admin,
    url: listening.url,
    metricsUrl: listening.metrics_url,
    grpc: listening.grpc,
    /** The serving processes. */
    pids: () => (workers === 1 ? [child.pid] : pids()),
    /** Resolves when the process that takes the place of one that ends is ready. */
    async spareReady() {
      while (pidsOf('spare').length === 0) await sleep(50);
    },
    /** CPU time of the primary and of all serving processes, in microseconds. */
    cpuUs: () =>
      [child.pid, ...(workers === 1 ? [] : pids())].reduce((sum, pid) => sum + cpuUsOf(pid), 0),
    rssMiB: () => (workers === 1 ? [child.pid] : pids()).map(rssMiBOf),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

/** CPU time of a process, in microseconds: clock ticks of 10 ms. */
export function cpuUsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** The resident memory of a process, in MiB. */
export function rssMiBOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}

/** The value below which a share of all lies. */
export function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

/** 512 characters without a finding. */
export const TEXT =
  'Thank you for writing to us. Your order has been packed and will leave the warehouse tomorrow morning; it takes two or three working days from there. '
    .repeat(4)
    .slice(0, 512);
