import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

/**
 * Asks for a line on the terminal and does not show what is typed.
 * @throws CommandFailure `interrupted` for Ctrl-C and Ctrl-D
 */
export async function readHiddenLine(
  question: string,
  { err, signal }: CommandContext,
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  const ended = new AbortController();
  // In raw mode the terminal gives Ctrl-C to the program instead of a signal.
  terminal.once('SIGINT', () => ended.abort());
  terminal.once('close', () => ended.abort());
  try {
    await err.write(question);
    return await terminal.question('', { signal: AbortSignal.any([signal, ended.signal]) });
  } catch (error) {
    throw new CommandFailure(EXIT.interrupted, 'interrupted', { cause: error });
  } finally {
    terminal.close();
    await err.write('\n');
  }
}
