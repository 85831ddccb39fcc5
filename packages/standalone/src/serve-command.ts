import type { Environment, ServerFlags } from './command-line.ts';
import { readConfig } from './config.ts';

/** Runs a server until SIGTERM or SIGINT. */
export async function serve(flags: ServerFlags, env: Environment): Promise<void> {
  const config = readConfig(flags, env);
  // Loaded after: most of the program, for nothing where the configuration is at fault.
  const { runServer } = await import('./run-server.ts');
  await runServer(config);
}
