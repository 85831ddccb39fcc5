import type { ServerFlags } from './command-line.ts';
import { readConfig } from './config.ts';
import type { CommandContext } from './context.ts';

/** Runs a server until SIGTERM or SIGINT. */
export async function serve(flags: ServerFlags, context: CommandContext): Promise<void> {
  const config = readConfig(flags, context.env);
  // Loaded after: most of the program, for nothing where the configuration is at fault.
  const { runServer } = await import('./run-server.ts');
  await runServer(config, context);
}
