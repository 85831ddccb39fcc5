import type { Environment } from '../context.ts';
import { forTerminal } from './text.ts';

/** A stream of the process that is written to. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether colors are wanted, as https://no-color.org says. */
  readonly hasColors: boolean;
  /** Characters of a line of the terminal; 80 where it is none. */
  readonly columns: number;
  /** Whether the reader has closed the pipe; what is written then is dropped. */
  readonly isClosed: boolean;
  /** Why the stream takes nothing more, such as a full disk; null while it does, and for a closed pipe. */
  readonly failure: Error | null;
  /** Resolves when the stream takes more. Of commands to a terminal, those of this program alone reach it. */
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

/** Wraps standard output or standard error. A closed pipe, as of `| head -1`, is no failure. */
export function createOutput(stream: WritableStream, env: Environment): Output {
  let isClosed = false;
  let failure: Error | null = null;
  stream.on('error', (error) => {
    isClosed = true;
    if (error.code !== 'EPIPE') failure ??= error;
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
    get failure() {
      return failure;
    },
    async write(text) {
      if (isClosed || stream.write(isTerminal ? forTerminal(text) : text)) return;
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
