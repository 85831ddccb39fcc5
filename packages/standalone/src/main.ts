import { createRequire } from 'node:module';
import { createLogger, isPlan, PLANS, type Plan, ProbityError, silentLogger } from '@probity/core';
import { Argument, Command, CommanderError, Option } from 'commander';
import { type AuditFlags, verifyAuditLogs } from './audit-command.ts';
import { backup } from './backup-command.ts';
import { type BootstrapFlags, bootstrap } from './bootstrap-command.ts';
import { readConfig, readDatabase, type ServerFlags } from './config.ts';
import { openDatabase } from './database.ts';
import { createServerSecretBox, keyFileOf } from './encryption-key.ts';
import { messageOf, StartFailure } from './failure.ts';
import { rotateKeys } from './keys-command.ts';
import { MAINTENANCE_MODES, setMaintenance } from './maintenance-command.ts';
import { checkPorts } from './ports.ts';
import { runRetention } from './retention.ts';
import { createServer } from './server.ts';
import { type Environment, SERVER_ROLES } from './settings.ts';

/**
 * Runs `probity-server`.
 * @param args the command line without program and script
 * @returns the exit code: 0, 1 when something failed, 2 for a command line that is not understood
 */
export async function main(args: readonly string[], env: Environment): Promise<number> {
  try {
    await createProgram(env).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said already what it did not understand; help and version are no failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isExpected = error instanceof StartFailure || error instanceof ProbityError;
    const text = isExpected ? messageOf(error) : ((error as Error)?.stack ?? String(error));
    process.stderr.write(`probity-server: ${text}\n`);
    return 1;
  }
}

function createProgram(env: Environment): Command {
  const program = new Command('probity-server')
    .description('The Probity server: governance for what AI systems say.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(`probity-server: ${messageOf(text.replace(/^error: /, ''))}\n`),
    })
    .showSuggestionAfterError();
  program.addCommand(serveCommand(env));
  program.addCommand(bootstrapCommand(env));
  program.addCommand(migrateCommand(env));
  program.addCommand(maintenanceCommand(env));
  program.addCommand(backupCommand(env));
  for (const command of program.commands) command.copyInheritedSettings(program);
  addNestedCommands(program, env);
  return program;
}

function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('@probity/standalone/package.json') as {
    version: string;
  };
  return version;
}

function databaseOption(): Option {
  return new Option(
    '--database <url>',
    'sqlite:PATH or postgres://… (PROBITY_DATABASE_URL; default sqlite:./data/probity.db)',
  );
}

function serveCommand(env: Environment): Command {
  return new Command('serve')
    .description('Serve requests and work in the background until SIGTERM.')
    .option('--host <host>', 'address to bind (PROBITY_HOST; default 127.0.0.1)')
    .option('--port <port>', 'port, 0 for a free one (PROBITY_PORT; default 3000)')
    .addOption(databaseOption())
    .option('--redis <url>', 'shared rate limits (PROBITY_REDIS_URL; default none)')
    .option('--public-url <url>', 'base of addresses handed out (PROBITY_PUBLIC_URL)')
    .option('--role <role>', `one of ${SERVER_ROLES.join(', ')}; default all`)
    .allowExcessArguments(false)
    .action((flags: ServerFlags) => serve(flags, env));
}

async function serve(flags: ServerFlags, env: Environment): Promise<void> {
  const config = readConfig(flags, env);
  const logger = createLogger({ level: config.logLevel });
  // What is wrong with key or ports is said before a database is made.
  keyFileOf(config)?.read();
  await checkPorts(config);
  const database = await openDatabase(config.database, logger);
  const secretBox = await createServerSecretBox(config, database).catch(async (error) => {
    await database.close();
    throw error;
  });
  const server = createServer({
    config,
    database,
    secretBox,
    logger,
    print: (text) => process.stderr.write(text),
  });
  const asked = stopSignal();
  // A worker without a port waits on timers that keep no process alive.
  const life = setInterval(() => undefined, 2 ** 30);
  try {
    await server.start();
    logger.info('stopping', { signal: await asked });
  } finally {
    await server.stop();
    clearInterval(life);
  }
  logger.info('stopped');
}

/** Resolves at the first SIGTERM or SIGINT; the second ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve(signal);
        process.once(signal, () => process.exit(130));
      });
    }
  });
}

function bootstrapCommand(env: Environment): Command {
  return new Command('bootstrap')
    .description('Create an organization with its owner, an owner API key and a SCIM token.')
    .requiredOption('--organization <name>', 'name of the organization')
    .requiredOption('--owner-email <email>', 'e-mail of its owner')
    .addOption(
      new Option('--plan <plan>', 'plan of its subscription')
        .default('enterprise')
        .argParser(parsePlan),
    )
    .addOption(databaseOption())
    .option('--json', 'print one line of JSON')
    .allowExcessArguments(false)
    .action((flags: BootstrapFlags) => bootstrap(flags, env));
}

function parsePlan(text: string): Plan {
  if (isPlan(text)) return text;
  throw new StartFailure(`--plan: must be one of ${PLANS.join(', ')}, not "${text}"`);
}

function migrateCommand(env: Environment): Command {
  return new Command('migrate')
    .description('Bring the schema of the database up to date.')
    .addOption(databaseOption())
    .allowExcessArguments(false)
    .action(async (flags: ServerFlags) => {
      const database = await openDatabase(readDatabase(flags, env), silentLogger, (name) => {
        process.stdout.write(`applied ${name}\n`);
      });
      await database.close();
      process.stdout.write('the schema is up to date\n');
    });
}

function backupCommand(env: Environment): Command {
  return new Command('backup')
    .description('Copy the SQLite database to a new file, consistent, while servers run.')
    .argument('<file>', 'the file to make')
    .addOption(databaseOption())
    .allowExcessArguments(false)
    .action((file: string, flags: ServerFlags) => backup(file, flags, env));
}

/** A command of two words, on a database that is there. */
function nestedCommand(program: Command, group: string, name: string, description: string) {
  const parent = program.command(group).description(GROUPS[group] ?? '');
  const command = parent.command(name).description(description);
  return command.addOption(databaseOption()).allowExcessArguments(false);
}

const GROUPS: Readonly<Record<string, string>> = {
  audit: 'Check the audit log.',
  keys: 'Look after the encryption keys.',
  retention: 'Remove what is kept no longer; workers do it once a day by themselves.',
};

function addNestedCommands(program: Command, env: Environment): void {
  const verify = 'Walk the audit log of every organization and find what was changed or removed.';
  nestedCommand(program, 'audit', 'verify', verify)
    .option('--organization <id>', 'only this organization')
    .action((flags: AuditFlags) => verifyAuditLogs(flags, env));
  const rotate = 'Seal every secret anew under a new encryption key, while servers run.';
  nestedCommand(program, 'keys', 'rotate', rotate).action((flags: ServerFlags) =>
    rotateKeys(flags, env),
  );
  const run = 'Apply every retention rule now and print how many records went, by rule.';
  nestedCommand(program, 'retention', 'run', run).action((flags: ServerFlags) =>
    runRetention(flags, env),
  );
}

function maintenanceCommand(env: Environment): Command {
  return new Command('maintenance')
    .description('Close the general API of every instance with 503, or open it again.')
    .addArgument(new Argument('<mode>', 'on or off').choices(MAINTENANCE_MODES))
    .addOption(databaseOption())
    .allowExcessArguments(false)
    .action((mode: (typeof MAINTENANCE_MODES)[number], flags: ServerFlags) =>
      setMaintenance(mode, flags, env),
    );
}
