import { keysFileOf } from '../api-keys/keys-location.ts';
import { formatIssue } from '../config/issues.ts';
import { readConfig } from '../config/read-config.ts';
import { createGateway } from '../gateway.ts';
import type { ProgramContext } from './context.ts';
import { readConfigFile } from './read-file.ts';

/** Options of serving. */
export interface ServeOptions {
  readonly file: string;
  readonly enableReload: boolean;
}

/**
 * Serves until SIGTERM or SIGINT; a second one ends at once. SIGHUP reloads the configuration.
 *
 * @returns 0 after an orderly end, 1 where the file is invalid
 */
export async function serveCommand(options: ServeOptions, context: ProgramContext): Promise<0 | 1> {
  const { file } = options;
  const { env } = context;
  const { config, issues } = await readConfig(readConfigFile(file), env);
  if (config === undefined) {
    for (const issue of issues) context.err(`${formatIssue(file, issue)}\n`);
    return 1;
  }
  const gateway = createGateway({
    file,
    config,
    issues,
    env,
    keysFile: keysFileOf(file, env),
    enableReload: options.enableReload || isOn(env.GATEWAY_ENABLE_RELOAD),
    write: context.out,
  });
  const ended = nextEnd();
  await gateway.start();
  // What went wrong is in the log.
  process.on('SIGHUP', () => void gateway.reloader.reload().catch(() => undefined));
  await ended;
  await gateway.stop();
  return 0;
}

function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}

function nextEnd(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      resolve();
      const endAtOnce = () => process.exit(signal === 'SIGINT' ? 130 : 143);
      process.once('SIGTERM', endAtOnce).once('SIGINT', endAtOnce);
    };
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
  });
}
