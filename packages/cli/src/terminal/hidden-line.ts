import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from '../context.ts';

/** Asks for a line on the terminal and does not show what is typed. */
export async function readHiddenLine(
  question: string,
  { err, signal }: CommandContext,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    await err.write(question);
    const interrupted = new AbortController();
    // In raw mode the terminal gives Ctrl-C to the program instead of a signal.
    terminal.once('SIGINT', () => {
      interrupted.abort();
      process.kill(process.pid, 'SIGINT');
    });
    return await terminal.question('', { signal: AbortSignal.any([signal, interrupted.signal]) });
  } finally {
    terminal.close();
    await err.write('\n');
  }
}
