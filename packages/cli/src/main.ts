import { setImmediate } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure, maskSecrets, reasonOf, usageFailure } from './failure.ts';
import { createProgram } from './program.ts';
import type { Action, Run } from './run.ts';

export { processContext } from './context.ts';

/**
 * Runs `probity`.
 * @param args the command line without program and script
 */
export async function main(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  let running: Command | undefined;
  const run: Run =
    <Args extends readonly unknown[]>(action: Action<Args>) =>
    async (...given) => {
      // Commander adds the command itself after the arguments and the options.
      const last = given.at(-1);
      if (last instanceof Command) running = last;
      exitCode = await action(context, ...(given as unknown as Args));
    };
  const program = createProgram(run);
  const settings = [program];
  for (const command of settings) {
    settings.push(...command.commands);
    command
      .exitOverride()
      .allowExcessArguments(false)
      .showSuggestionAfterError()
      .configureOutput({
        writeOut: (text) => void context.out.write(text),
        writeErr: (text) => void context.err.write(text),
        getOutHelpWidth: () => context.out.columns,
        getErrHelpWidth: () => context.err.columns,
        getOutHasColors: () => context.out.hasColors,
        getErrHasColors: () => context.err.hasColors,
        outputError: (text, write) => write(text.replace(/^error: /, 'probity: ')),
      });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    await requireWritten(context);
    return exitCode;
  } catch (error) {
    const isDebug = program.opts<{ debug?: true }>().debug === true;
    return report(await toFailure(error, running), isDebug, context);
  }
}

/** @throws CommandFailure when results could not be written, as to a full disk */
async function requireWritten({ out }: CommandContext): Promise<void> {
  // Streams tell of a failure after the write.
  await setImmediate();
  const { failure } = out;
  if (failure) throw usageFailure(`cannot write the output: ${reasonOf(failure)}`, failure);
}

async function report(
  error: CommanderError | CommandFailure,
  isDebug: boolean,
  { env, err, signal }: CommandContext,
): Promise<ExitCode> {
  // Commander has said already what it did not understand; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (signal.aborted || error.exitCode === EXIT.interrupted) return EXIT.interrupted;
  const text = isDebug ? stackOf(error) : error.message;
  await err.write(`probity: ${maskSecrets(text, [env.PROBITY_API_KEY])}\n`);
  return error.exitCode;
}

async function toFailure(
  error: unknown,
  running: Command | undefined,
): Promise<CommanderError | CommandFailure> {
  if (error instanceof CommanderError || error instanceof CommandFailure) return error;
  const { failureOf } = await import('./server/failure.ts');
  return failureOf(error, running);
}

/** The stacks of an error and of its causes. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
