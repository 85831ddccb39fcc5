import { Worker } from 'node:worker_threads';
import { openSqliteFile } from '@probity/core/internal';
import { getLoadablePath } from 'sqlite-vec';
import type {
  VectorAnswer,
  VectorCalls,
  VectorRequest,
  VectorResults,
  VectorThreadSetUp,
} from './sqlite-vec-messages.ts';
import type { VectorStore } from './types.ts';

/** Options of {@link createSqliteVecStore}. */
export interface SqliteVecOptions {
  /**
   * Path of a SQLite file of its own, made where it is missing: the vectors can be made again from the knowledge base,
   * so that backups need not have them.
   */
  readonly file: string;
}

/**
 * Keeps vectors in a SQLite file by the extension sqlite-vec, which compares with every vector of the collection:
 * exact. It computes in a thread of its own, which starts with the first call and keeps no process alive. Any number of
 * processes may have the file open.
 * @throws Error when the extension or the SQLite driver is not installed for this system
 */
export function createSqliteVecStore({ file }: SqliteVecOptions): VectorStore {
  const extension = findExtension();
  // A driver that cannot be loaded fails here, not in the jobs that use the store.
  openSqliteFile(':memory:', 0).close();
  let thread: VectorThread | null = null;
  const call = <Name extends keyof VectorCalls>(name: Name, ...args: VectorCalls[Name]) => {
    thread ??= new VectorThread({ file, extension }, () => {
      thread = null;
    });
    return thread.call(name, args);
  };
  return {
    position: (name) => call('position', name),
    apply: (name, changes) => call('apply', name, changes),
    search: (name, vector, count, filter) => call('search', name, vector, count, filter),
    collections: () => call('collections'),
    async drop(name) {
      await call('drop', name);
    },
    async close() {
      const open = thread;
      thread = null;
      await open?.close();
    },
  };
}

/** npm installs the extension as an optional package for one system. */
function findExtension(): string {
  try {
    return getLoadablePath();
  } catch (cause) {
    const remedy =
      'install sqlite-vec again without --omit=optional, or choose another vector store';
    throw new Error(`sqlite-vec has no extension for this system: ${remedy}.`, { cause });
  }
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

class VectorThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #lastKey = 0;

  /** @param onEnd called when no further call is taken */
  constructor(setUp: VectorThreadSetUp, onEnd: () => void) {
    const options = { workerData: setUp, execArgv: [] };
    this.#worker = new Worker(new URL('./sqlite-vec-worker.js', import.meta.url), options);
    this.#worker.unref();
    this.#worker.on('message', (answer: VectorAnswer) => this.#take(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        onEnd();
        this.#fail(new Error('The thread of the vectors has ended.'));
        resolve();
      });
    });
  }

  call<Name extends keyof VectorCalls>(
    name: Name,
    args: VectorCalls[Name],
  ): Promise<VectorResults[Name]> {
    const key = ++this.#lastKey;
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ key, name, args } satisfies VectorRequest<Name>);
    });
  }

  /** Ends the thread behind the calls that were made. */
  async close(): Promise<void> {
    await this.call('close', []).catch(() => undefined);
    await this.#ended;
  }

  #take(answer: VectorAnswer): void {
    const call = this.#waiting.get(answer.key);
    this.#waiting.delete(answer.key);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('error' in answer) call?.reject(answer.error);
    else call?.resolve(answer.result as never);
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
