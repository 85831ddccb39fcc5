import { spawn } from 'node:child_process';
import type { UserIds } from './unprivileged-user.ts';

/**
 * Runs `"$@"` in the background and waits on standard input. The pipe closes when the process
 * that opened it has ended for any reason, so the server never outlives it.
 */
const supervisorScript = `
folder=$1
signal=$2
shift 2
"$@" &
server=$!
trap '' HUP INT TERM
exec 1>&- 2>&-
read -r ignored
kill -s "$signal" "$server"
wait "$server"
rm -rf "$folder"
`;

/** The program to run, its user, and how to detect that it is ready. */
export interface SupervisedServerOptions {
  /** Path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Folder of the server's data; removed once the server has ended. */
  readonly folder: string;
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** User to run as; the current one when absent. */
  readonly user?: UserIds | undefined;
  /** The signal that ends the server immediately and leaves nothing but its folder. */
  readonly stopSignal: 'QUIT' | 'KILL';
  /** Text in a line of output that means the server accepts connections. */
  readonly readyText: string;
  readonly timeoutMs: number;
}

/** A running server that ends with this process at the latest. */
export interface SupervisedServer {
  /** Ends the server and removes its folder; resolves when both are done. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts a server under a small shell that ends it, and removes its folder, as soon as this
 * process has ended (normal exit, crash or SIGKILL).
 *
 * @throws Error with the server's last output when it ends, or times out, before `readyText`.
 */
export async function startSupervised(options: SupervisedServerOptions): Promise<SupervisedServer> {
  const child = spawn(
    '/bin/sh',
    [
      ...['-c', supervisorScript, 'sh', options.folder, options.stopSignal],
      ...[options.command, ...options.args],
    ],
    { env: options.env, stdio: ['pipe', 'pipe', 'pipe'], detached: true, ...options.user },
  );
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = (): Promise<void> => {
    child.ref();
    child.stdin.destroy();
    return exited;
  };
  try {
    await outputShows(options, [child.stdout, child.stderr]);
  } catch (error) {
    await stop();
    throw error;
  }
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) unref(handle);
  return { stop };
}

/** Lets the process exit while the handle is open. */
function unref(handle: object): void {
  if ('unref' in handle && typeof handle.unref === 'function') handle.unref();
}

/** Resolves on `readyText`; rejects on the end of the output or the deadline. Keeps draining. */
function outputShows(
  options: SupervisedServerOptions,
  streams: readonly NodeJS.ReadableStream[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail = '';
    let open = streams.length;
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new Error(`${options.command} ${reason}. Its last output:\n${tail}`));
    };
    const timer = setTimeout(
      () => fail(`was not ready within ${options.timeoutMs} ms`),
      options.timeoutMs,
    );
    for (const stream of streams) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => {
        tail = (tail + text).slice(-4000);
        if (!tail.includes(options.readyText)) return;
        clearTimeout(timer);
        resolve();
      });
      stream.on('end', () => {
        open -= 1;
        if (open === 0) fail('ended at its start');
      });
    }
  });
}
