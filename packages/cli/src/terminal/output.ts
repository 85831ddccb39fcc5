import type { Environment } from '../context.ts';

/** A stream of the process that is written to. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether colors are wanted, as https://no-color.org says. */
  readonly hasColors: boolean;
  /** Characters of a line of the terminal; 80 where it is none. */
  readonly columns: number;
  /** Whether the reader has closed the pipe; what is written then is dropped. */
  readonly isClosed: boolean;
  /** Resolves when the stream takes more. */
  write(text: string): Promise<void>;
}

/** The part of a stream of Node that an {@link Output} uses. */
interface WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Wraps standard output or standard error. A closed pipe, as of `| head -1`, is no error. */
export function createOutput(stream: WritableStream, env: Environment): Output {
  let isClosed = false;
  stream.on('error', () => {
    isClosed = true;
    release?.();
  });
  let release: (() => void) | undefined;
  let draining: Promise<void> | undefined;
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    hasColors: isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    get columns() {
      return stream.columns || 80;
    },
    get isClosed() {
      return isClosed;
    },
    async write(text) {
      if (isClosed || stream.write(text)) return;
      draining ??= new Promise<void>((resolve) => {
        release = resolve;
        stream.once('drain', resolve);
      }).finally(() => {
        draining = undefined;
      });
      await draining;
    },
  };
}
