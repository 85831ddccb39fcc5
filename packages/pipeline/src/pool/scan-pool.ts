import type { PipelineConfig } from '../config.ts';
import { PipelineConfigError, ScanPoolError } from '../errors.ts';
import { requireScannedFields } from '../kept-fields.ts';
import { INPUT_MEMBERS, requireKnownMembers, requireSignal } from '../known-members.ts';
import { lazily } from '../lazy.ts';
import type { Pipeline, ScanOptions } from '../pipeline.ts';
import { createPipeline } from '../pipeline.ts';
import { checkCount } from '../stage-options.ts';
import type { ScanInput, ScanSignal } from '../types.ts';
import type { PoolSource } from './messages.ts';
import type { ScanThread, ThreadTimes } from './scan-thread.ts';

/** Options of {@link createScanPool}. */
export interface ScanPoolOptions {
  /** What to scan with; data only, as it is sent to the threads. Default: that of `createPipeline()`. */
  readonly config?: PipelineConfig | undefined;
  /**
   * A module that exports a `pipeline`, for stages of your own and back ends; loaded once in each thread.
   * Then `pipeline` is to be the same one.
   */
  readonly module?: URL | undefined;
  /** Scans short texts where `module` is given. */
  readonly pipeline?: Pipeline | undefined;
  /** Default: one less than the processor has, from 1 to 4. */
  readonly threads?: number | undefined;
  /** Milliseconds after which a thread without work ends; default never. */
  readonly idleMs?: number | undefined;
  /**
   * Milliseconds after which a thread that has work and does not turn its event loop is stopped, and its scans are
   * tried once more; the only end of code that does not stop by itself, such as a slow expression of a stage of your own. Default
   * never: threads that run ONNX models must not be stopped from outside.
   */
  readonly stuckMs?: number | undefined;
  /** From how many UTF-16 units on an input is scanned in a thread. Default 32,768. */
  readonly from?: number | undefined;
}

/** A pipeline that scans long texts in threads. */
export interface ScanPool extends Pipeline, AsyncDisposable {
  /** Ends the threads; scans that they have reject with a ScanPoolError, and so do later long ones. */
  close(): Promise<void>;
}

const DEFAULT_FROM = 32_768;
const MAX_DEFAULT_THREADS = 4;

const withThreads = lazily(() => import('./scan-thread.ts'));

/**
 * Makes a pool of threads for long texts, which otherwise take the event loop for milliseconds at a time:
 * a pipeline with the same results. Short texts are scanned in this thread, since to hand one over costs
 * more. A thread is started at the first text that finds none idle. A scan whose thread dies is tried again
 * once. The threads keep no process alive.
 *
 * @throws PipelineConfigError, TypeError for options that do not exist or have a wrong value
 * @example
 * const pool = createScanPool({ threads: 2 });
 * const guard = createGuard({ pool });
 */
export function createScanPool(options: ScanPoolOptions = {}): ScanPool {
  requireKnownMembers('createScanPool', options, [
    ...['config', 'module', 'pipeline', 'threads', 'from', 'idleMs', 'stuckMs'],
  ]);
  const { config, module } = options;
  if ((module === undefined) !== (options.pipeline === undefined)) {
    throw new TypeError('createScanPool: module and pipeline belong together.');
  }
  if (module !== undefined && config !== undefined) {
    throw new TypeError('createScanPool: give a config or a module, not both.');
  }
  const { availableParallelism } = process.getBuiltinModule('node:os');
  const own = Math.max(1, Math.min(MAX_DEFAULT_THREADS, availableParallelism() - 1));
  const threads = checkCount('threads', options.threads ?? own, 1, 64);
  const from = checkCount('from', options.from ?? DEFAULT_FROM, 0, Number.MAX_SAFE_INTEGER);
  const times = timesOf(options);
  const local = options.pipeline ?? createPipeline(config);
  const source = { config: cloneConfig(config), module: module?.href };
  const choose = createChooser(source, threads, times);
  const scanFar = async (input: ScanInput, signal: ScanSignal | undefined) => {
    const scan = () =>
      withThreads(({ startScanThread }) => choose.idlest(startScanThread).scan(input, signal));
    try {
      return await scan();
    } catch (error) {
      if (!(error instanceof ScanPoolError) || choose.isClosed()) throw error;
      return scan();
    }
  };
  const close = () => choose.close();
  return Object.freeze({
    stages: local.stages,
    definitions: local.definitions,
    async scan(input: ScanInput, options: ScanOptions = {}) {
      requireKnownMembers('scan', options, ['signal', 'material', 'scanned']);
      const { signal, material } = options;
      requireSignal('scan', signal);
      requireScannedFields('scan', options.scanned);
      // Wrong input is reported by the pipeline, and material cannot be sent to a thread.
      if (material !== undefined || !isLong(input, from)) return local.scan(input, options);
      requireKnownMembers('scan', input, INPUT_MEMBERS);
      // By name: what is sent to a thread loses inherited getters.
      const { prompt, response, context, system } = input;
      return scanFar({ prompt, response, context, system }, signal);
    },
    preload: () => local.preload(),
    close,
    [Symbol.asyncDispose]: close,
  });
}

function isLong(input: ScanInput, from: number): boolean {
  const { prompt, response, context, system } = (input ?? {}) as Partial<ScanInput>;
  const texts: readonly unknown[] = Array.isArray(context) ? context : [];
  const all = [prompt, response, system, ...texts];
  const areTexts = all.every((text) => text === undefined || typeof text === 'string');
  if (!areTexts || typeof response !== 'string') return false;
  if (context !== undefined && !Array.isArray(context)) return false;
  return all.reduce<number>((sum, text) => sum + String(text ?? '').length, 0) >= from;
}

function cloneConfig(config: PipelineConfig | undefined): PipelineConfig | undefined {
  try {
    return structuredClone(config);
  } catch {
    const { stages } = config ?? {};
    const values = Array.isArray(stages) ? (stages as { readonly definition?: unknown }[]) : [];
    const index = values.findIndex((stage) => stage?.definition !== undefined);
    const what = index < 0 ? 'config' : `config.stages[${index}]`;
    const hint =
      'a stage made by a function is none: name it, as { name, options }, or give a module';
    throw new PipelineConfigError(what, `expected data; ${hint}`);
  }
}

function timesOf({ idleMs, stuckMs }: ScanPoolOptions): ThreadTimes {
  const checked = (name: string, value: number | undefined) =>
    value === undefined ? Number.POSITIVE_INFINITY : checkCount(name, value, 1, 86_400_000);
  return { idleMs: checked('idleMs', idleMs), stuckMs: checked('stuckMs', stuckMs) };
}

function createChooser(source: PoolSource, count: number, times: ThreadTimes) {
  let threads: ScanThread[] = [];
  let isClosed = false;
  return {
    isClosed: () => isClosed,
    /** An idle thread, a new one, or the one with the least work. */
    idlest(start: (source: PoolSource, times: ThreadTimes) => ScanThread): ScanThread {
      if (isClosed) throw new ScanPoolError('the scan pool is closed');
      threads = threads.filter((thread) => !thread.isOver());
      const [first, ...others] = threads;
      const idlest = others.reduce(
        (held, next) => (held !== undefined && held.load() <= next.load() ? held : next),
        first,
      );
      if (idlest !== undefined && (idlest.load() === 0 || threads.length === count)) return idlest;
      const started = start(source, times);
      threads.push(started);
      return started;
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
