import { reasonOf } from './options.ts';

/** The part of a writable stream that the command uses. */
export interface OutputStream {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Writes to a stream no faster than it takes it. */
export interface Output {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
  /** Whether nothing more can be written; what is written then is lost without an error. */
  closed(): boolean;
  /** Why; undefined where the reader has closed the pipe, which is no error. */
  failure(): string | undefined;
}

/** Makes an {@link Output}. Of many writers that wait, all go on at the next drain. */
export function createOutput(stream: OutputStream): Output {
  let closed = false;
  let draining: Promise<void> | undefined;
  let release = () => {};
  let failure: string | undefined;
  stream.on('error', (error) => {
    closed = true;
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') failure ??= reasonOf(error);
    release();
  });
  return {
    closed: () => closed,
    failure: () => failure,
    async write(text) {
      if (closed || stream.write(text)) return;
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
