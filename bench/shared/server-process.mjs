import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The command line of the product. */
export const PROBITY = fileURLToPath(
  new URL('../../packages/standalone/bin/probity-server.js', import.meta.url),
);

const CPU_REPORT = new URL('cpu-report.mjs', import.meta.url).href;
const START_TIMEOUT_MS = 20_000;

/** No limit is in the way, and several servers run beside each other. */
export const ENVIRONMENT = {
  ...process.env,
  PROBITY_RATE_LIMITS: 'platform=100000000/60,general=100000000/60',
  PROBITY_METRICS_PORT: 'off',
};

/** Runs `probity-server bootstrap` on a database; answers its JSON. */
export function bootstrap(database, organization, ownerEmail, env = {}) {
  const names = ['--organization', organization, '--owner-email', ownerEmail];
  const args = [PROBITY, 'bootstrap', ...names, '--database', database, '--json'];
  const stdio = ['ignore', 'pipe', 'ignore'];
  return JSON.parse(
    execFileSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...ENVIRONMENT, ...env },
      stdio,
    }),
  );
}

/**
 * Starts a Node program that prints `{"message":"listening","url":…}`. Its output, the log, goes to
 * a file in `folder`, as a service's does. `profileFolder` makes Node write a CPU profile there.
 */
export async function startServer(name, args, { folder, profileFolder, env = {} }) {
  const logPath = join(folder, `${name}.log`);
  const log = openSync(logPath, 'a');
  const profiling = profileFolder
    ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${name}.cpuprofile`]
    : [];
  const child = spawn(process.execPath, ['--import', CPU_REPORT, ...profiling, ...args], {
    // Mails go to files here.
    cwd: folder,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const url = await findAddress(child, logPath);
  return {
    url,
    pid: child.pid,
    /** CPU time of the process so far, user and system. */
    async cpuUs() {
      child.send('cpu');
      const [{ cpuUs }] = await once(child, 'message');
      return cpuUs;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function findAddress(child, logPath) {
  const giveUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && performance.now() < giveUpAt) {
    const lines = readFileSync(logPath, 'utf8').split('\n').slice(0, -1);
    const record = lines.map((line) => JSON.parse(line)).find(isListening);
    if (record) return record.url;
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`the server did not start; its log: ${readFileSync(logPath, 'utf8')}`);
}

function isListening({ message }) {
  return message === 'listening';
}
