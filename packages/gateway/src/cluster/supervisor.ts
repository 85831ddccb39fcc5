import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import type { Clock, Logger } from '@probity/core';
import type { GatewayAddresses } from '../gateway.ts';
import { createBackOff } from './back-off.ts';
import type { Channel } from './channel.ts';
import { createChannel } from './channel.ts';
import type { StartRequest } from './messages.ts';
import { READY, START, STOP, WORKER_VARIABLE } from './messages.ts';
import type { WorkerId, Workers } from './part.ts';
import { processPort } from './process-port.ts';

/** Dependencies of a supervisor. */
export interface SupervisorOptions {
  readonly count: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What a worker is started with. */
  readonly startRequest: () => StartRequest;
  /** Takes what a worker sends. */
  readonly deliver: (part: string, body: unknown, isCall: boolean, worker: WorkerId) => unknown;
  readonly onLeave: (worker: WorkerId) => void;
}

/** Starts workers, and starts them again. */
export interface Supervisor extends Workers {
  /**
   * Starts all workers; resolves when they listen.
   *
   * @throws Error of the first that could not start
   */
  start(): Promise<GatewayAddresses>;
  /** Lets all workers answer what is in progress, and end; those that take longer are killed. */
  stop(timeoutMs: number): Promise<void>;
  /** Ends all workers at once. */
  kill(): void;
}

interface Member {
  readonly worker: Worker;
  readonly channel: Channel;
  readonly startedAtMs: number;
}

/** Creates the supervisor. A worker that ends is replaced, the sooner the longer it has lived. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { clock, logger, count } = options;
  const members = new Map<WorkerId, Member>();
  const backOff = createBackOff();
  let state: 'starting' | 'running' | 'stopping' = 'starting';
  const fork = (): Promise<GatewayAddresses> => {
    const worker = cluster.fork({ [WORKER_VARIABLE]: '1' });
    return new Promise((resolve, reject) => {
      const start = () =>
        channel.call<GatewayAddresses>(START, options.startRequest()).then(resolve, (error) => {
          worker.process.kill('SIGKILL');
          reject(error);
        });
      const channel = createChannel(processPort(worker), ({ part, body, isCall }) =>
        part === READY ? void start() : options.deliver(part, body, isCall, worker.id),
      );
      members.set(worker.id, { worker, channel, startedAtMs: clock.monotonicMs() });
      worker.on('exit', (code, signal) => {
        leave(worker.id, signal ?? code);
        reject(new Error(`a worker ended before it served (${signal ?? code})`));
      });
    });
  };
  const leave = (id: WorkerId, cause: string | number) => {
    const member = members.get(id);
    members.delete(id);
    member?.channel.close('The worker has ended.');
    options.onLeave(id);
    if (state !== 'running' || member === undefined) return;
    const delayMs = backOff.delayAfter(clock.monotonicMs() - member.startedAtMs);
    const fields = { worker: member.worker.process.pid, cause, restart_after_ms: delayMs };
    logger.error('a worker has ended, and is replaced', fields);
    if (delayMs === 0) replace();
    else setTimeout(replace, delayMs);
  };
  const replace = () => {
    if (state !== 'running') return;
    fork().catch((error: unknown) => logger.error('a worker could not start', { error }));
  };
  const kill = () => {
    state = 'stopping';
    for (const { worker } of members.values()) worker.process.kill('SIGKILL');
  };
  return {
    async start() {
      cluster.setupPrimary({ serialization: 'advanced' });
      const [first] = await Promise.all(Array.from({ length: count }, fork));
      state = 'running';
      return first as GatewayAddresses;
    },
    async stop(timeoutMs) {
      state = 'stopping';
      const ends = [...members.values()].map(({ worker }) => ended(worker));
      const timer = setTimeout(kill, timeoutMs);
      for (const { channel } of members.values()) channel.tell(STOP, null);
      await Promise.all(ends);
      clearTimeout(timer);
    },
    kill,
    ask<Answer>(part: string, request: unknown, timeoutMs: number) {
      const all = [...members].map(([id, { channel }]) => {
        return [id, answerWithin(channel.call<Answer>(part, request), timeoutMs)] as const;
      });
      return new Map(all);
    },
    tell(part, message) {
      for (const { channel } of members.values()) channel.tell(part, message);
    },
  };
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => void worker.once('exit', () => resolve()));
}

function answerWithin<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = new Error(`a worker did not answer within ${timeoutMs / 1_000} seconds`);
    const timer = setTimeout(() => reject(late), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
