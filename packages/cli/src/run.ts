import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

/** What a command does; the result is the exit code. */
export type Action<Args extends readonly unknown[]> = (
  context: CommandContext,
  ...args: Args
) => Promise<ExitCode>;

/** Makes the handler of a command that runs an action and keeps its exit code. */
export type Run = <Args extends readonly unknown[]>(
  action: Action<Args>,
) => (...args: [...Args, ...unknown[]]) => Promise<void>;
