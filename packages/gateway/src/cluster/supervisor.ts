import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import type { Clock, Logger } from '@probity/core';
import type { GatewayAddresses } from '../gateway.ts';
import { createBackOff } from './back-off.ts';
import type { Channel } from './channel.ts';
import { createChannel } from './channel.ts';
import { HEAP_OPTIONS } from './heap-options.ts';
import type { StartRequest } from './messages.ts';
import { READY, START, STOP, WARM, WORKER_VARIABLE } from './messages.ts';
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

/** A process that has been started, whether it serves or is kept for one that ends. */
interface Launched {
  readonly worker: Worker;
  readonly channel: Channel;
  /** Resolves when the process takes messages. */
  readonly ready: Promise<void>;
  readonly ended: Promise<string | number>;
}

interface Member extends Launched {
  readonly servesSinceMs: number;
}

/**
 * Creates the supervisor. A worker that ends is replaced, the sooner the longer it has lived. One process more is kept
 * ready, with its code and models loaded: it takes the place of a worker that ends, as a process takes about a second to
 * start.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { clock, logger, count } = options;
  const members = new Map<WorkerId, Member>();
  const backOff = createBackOff();
  let spare: Launched | null = null;
  let state: 'starting' | 'running' | 'stopping' = 'starting';
  const launched = () => [...members.values(), ...(spare ? [spare] : [])];
  const serve = async (process: Launched): Promise<GatewayAddresses> => {
    const { worker, channel, ready, ended } = process;
    const { id } = worker;
    members.set(id, { ...process, servesSinceMs: clock.monotonicMs() });
    void ended.then((cause) => leave(id, cause));
    await ready;
    try {
      return await channel.call<GatewayAddresses>(START, options.startRequest());
    } catch (error) {
      worker.process.kill('SIGKILL');
      throw error;
    }
  };
  const leave = (id: WorkerId, cause: string | number) => {
    const member = members.get(id);
    members.delete(id);
    options.onLeave(id);
    if (state !== 'running' || member === undefined) return;
    const delayMs = backOff.delayAfter(clock.monotonicMs() - member.servesSinceMs);
    const fields = { worker: member.worker.process.pid, cause, restart_after_ms: delayMs };
    // In order, by a signal to it alone, which may come before it takes signals.
    const isInOrder = cause === 0 || cause === 'SIGTERM' || cause === 'SIGINT';
    logger[isInOrder ? 'info' : 'error']('a worker has ended, and is replaced', fields);
    if (delayMs === 0) replace();
    else setTimeout(replace, delayMs);
  };
  const replace = () => {
    if (state !== 'running') return;
    const next = spare ?? launch(options);
    spare = null;
    serve(next)
      .catch((error: unknown) => logger.error('a worker could not start', { error }))
      .finally(keepSpare);
  };
  /** One that ends by itself is not replaced before the next is needed: it would only end again. */
  const keepSpare = () => {
    if (state !== 'running' || spare !== null) return;
    const kept = launch(options);
    spare = kept;
    kept.ready.then(() => kept.channel.tell(WARM, options.startRequest())).catch(() => undefined);
    void kept.ended.then(() => {
      if (spare === kept) spare = null;
    });
  };
  const kill = () => {
    state = 'stopping';
    for (const { worker } of launched()) worker.process.kill('SIGKILL');
  };
  return {
    async start() {
      cluster.setupPrimary({
        serialization: 'advanced',
        execArgv: [...process.execArgv, ...HEAP_OPTIONS],
      });
      const all = Array.from({ length: count }, () => serve(launch(options)));
      const [first] = await Promise.all(all);
      state = 'running';
      keepSpare();
      return first as GatewayAddresses;
    },
    async stop(timeoutMs) {
      state = 'stopping';
      const ends = launched().map(({ ended }) => ended);
      const timer = setTimeout(kill, timeoutMs);
      spare?.worker.process.kill('SIGKILL');
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

/** Starts a process, which does nothing before it is told to. */
function launch({ deliver }: SupervisorOptions): Launched {
  const worker = cluster.fork({ [WORKER_VARIABLE]: '1' });
  let isReady = () => {};
  const ended = new Promise<string | number>((resolve) => {
    worker.once('exit', (code, signal) => {
      channel.close('The worker has ended.');
      resolve(signal ?? code);
    });
  });
  const ready = new Promise<void>((resolve, reject) => {
    isReady = resolve;
    const early = (cause: string | number) =>
      reject(new Error(`a worker ended before it served (${cause})`));
    void ended.then(early);
  });
  ready.catch(() => undefined);
  const channel = createChannel(processPort(worker), ({ part, body, isCall }) =>
    part === READY ? isReady() : deliver(part, body, isCall, worker.id),
  );
  return { worker, channel, ready, ended };
}

function answerWithin<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = new Error(`a worker did not answer within ${timeoutMs / 1_000} seconds`);
    const timer = setTimeout(() => reject(late), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
