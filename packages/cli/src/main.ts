import { CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure, maskSecrets } from './failure.ts';
import { createProgram } from './program.ts';
import type { Action, Run } from './run.ts';

export { processContext } from './context.ts';

/**
 * Runs `probity`.
 * @param args the command line without program and script
 */
export async function main(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const run: Run =
    <Args extends readonly unknown[]>(action: Action<Args>) =>
    async (...given) => {
      // Commander adds the command itself after the arguments and the options.
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
    return exitCode;
  } catch (error) {
    return report(error, program.opts<{ debug?: true }>().debug === true, context);
  }
}

async function report(error: unknown, debug: boolean, context: CommandContext): Promise<ExitCode> {
  // Commander has said already what it did not understand; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { env, err, signal } = context;
  if (signal.aborted) return EXIT.interrupted;
  const failure = error instanceof CommandFailure ? error : await toFailure(error);
  if (failure.exitCode === EXIT.interrupted) return EXIT.interrupted;
  const text = debug ? stackOf(failure) : failure.message;
  await err.write(`probity: ${maskSecrets(text, [env.PROBITY_API_KEY])}\n`);
  return failure.exitCode;
}

async function toFailure(error: unknown): Promise<CommandFailure> {
  const { failureOf } = await import('./server/failure.ts');
  return failureOf(error);
}

/** The stacks of an error and of its causes. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
