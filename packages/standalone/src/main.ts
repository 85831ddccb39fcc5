import { createRequire } from 'node:module';
import { Argument, Command, CommanderError, Option } from 'commander';
import type {
  AuditFlags,
  BootstrapFlags,
  DatabaseFlags,
  JobListFlags,
  JobRetryFlags,
  MaintenanceMode,
  MemberFlags,
  ServerFlags,
  WebhookListFlags,
  WebhookReplayFlags,
  WebhookTestFlags,
} from './command-line.ts';
import { MAINTENANCE_MODES, SERVER_ROLES } from './command-line.ts';
import type { CommandContext } from './context.ts';
import { messageOf, StartFailure } from './failure.ts';

export { processContext } from './context.ts';

// Each command's file is imported when it runs: help and version load none of the libraries.

/**
 * Runs `probity-server`.
 * @param args the command line without program and script
 * @returns the exit code: 0, 1 when something failed, 2 for a command line that is not understood
 */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said already what it did not understand; help and version are no failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const text = (await isExpected(error))
      ? messageOf(error)
      : ((error as Error)?.stack ?? String(error));
    context.tell(`probity-server: ${text}\n`);
    return 1;
  }
}

/** Whether the failure is one whose message alone tells the person at the terminal what to do. */
async function isExpected(error: unknown): Promise<boolean> {
  if (error instanceof StartFailure) return true;
  const { ProbityError } = await import('@probity/core');
  return error instanceof ProbityError;
}

function createProgram(context: CommandContext): Command {
  const program = new Command('probity-server')
    .description('The Probity server: governance of AI output.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: context.print,
      writeErr: context.tell,
      outputError: (text, write) =>
        write(`probity-server: ${messageOf(text.replace(/^error: /, ''))}\n`),
    })
    .showSuggestionAfterError()
    .hook('preAction', async () => {
      const { misspeltVariables } = await import('./misspelt-variables.ts');
      for (const warning of misspeltVariables(context.env)) {
        context.tell(`probity-server: warning: ${warning}\n`);
      }
    });
  program.addCommand(serveCommand(context));
  program.addCommand(bootstrapCommand(context));
  program.addCommand(migrateCommand(context));
  program.addCommand(maintenanceCommand(context));
  program.addCommand(backupCommand(context));
  for (const command of program.commands) command.copyInheritedSettings(program);
  addNestedCommands(program, context);
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

function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('Serve requests and run background jobs until SIGTERM.')
    .option('--host <host>', 'address to bind (PROBITY_HOST; default 127.0.0.1)')
    .option('--port <port>', 'port, 0 for a free one (PROBITY_PORT; default 3000)')
    .addOption(databaseOption())
    .option('--redis <url>', 'shared rate limits (PROBITY_REDIS_URL; default none)')
    .option(
      '--public-url <url>',
      'base of absolute URLs in responses and mails (PROBITY_PUBLIC_URL)',
    )
    .option('--role <role>', `one of ${SERVER_ROLES.join(', ')}; default all`)
    .allowExcessArguments(false)
    .action(async (flags: ServerFlags) =>
      (await import('./serve-command.ts')).serve(flags, context),
    );
}

function bootstrapCommand(context: CommandContext): Command {
  return new Command('bootstrap')
    .description('Create an organization with its owner, an owner API key and a SCIM token.')
    .requiredOption('--organization <name>', 'name of the organization')
    .requiredOption('--owner-email <email>', 'e-mail address of the owner')
    .option(
      '--plan <plan>',
      'plan to bill; without it the plan is enterprise and nothing is billed',
    )
    .option('--description <text>', 'description of the organization')
    .option('--website <url>', 'website of the organization')
    .option('--data-residency <region>', 'where its data is agreed to stay, such as eu')
    .option('--public-url <url>', 'base of the addresses that are printed (PROBITY_PUBLIC_URL)')
    .addOption(databaseOption())
    .option('--json', 'print one line of JSON')
    .allowExcessArguments(false)
    .action(async (flags: BootstrapFlags) => {
      const { bootstrap } = await import('./bootstrap-command.ts');
      await bootstrap(flags, context);
    });
}

function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('Bring the schema of the database up to date.')
    .addOption(databaseOption())
    .allowExcessArguments(false)
    .action(async (flags: DatabaseFlags) => {
      const { migrateDatabase } = await import('./migrate-command.ts');
      await migrateDatabase(flags, context);
    });
}

function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description(
      'Write a consistent copy of the SQLite database to a new file; servers may be running.',
    )
    .argument('<file>', 'path of the new file')
    .addOption(databaseOption())
    .allowExcessArguments(false)
    .action(async (file: string, flags: DatabaseFlags) => {
      const { backup } = await import('./backup-command.ts');
      await backup(file, flags, context);
    });
}

/** A command of two words, on a database that is there. */
function nestedCommand(program: Command, group: string, name: string, description: string) {
  const parent =
    program.commands.find((each) => each.name() === group) ??
    program.command(group).description(GROUPS[group] ?? '');
  const command = parent.command(name).description(description);
  return command.addOption(databaseOption()).allowExcessArguments(false);
}

const GROUPS: Readonly<Record<string, string>> = {
  audit: 'Verify the audit log.',
  jobs: 'List background jobs and retry failed ones.',
  keys: 'Manage the encryption keys.',
  members: 'Help members who cannot sign in.',
  organizations: 'Help organizations that locked themselves out.',
  webhooks: 'List, try and replay the webhooks of an organization.',
  retention: 'Delete records past their retention period; workers do so once a day.',
};

function addNestedCommands(program: Command, context: CommandContext): void {
  const verify =
    'Verify the audit log of every organization and report changed or removed entries.';
  nestedCommand(program, 'audit', 'verify', verify)
    .option('--organization <id>', 'only this organization')
    .option(
      '--expect <organization:sequence:hash>',
      'fail unless the log has this entry, as an earlier run printed it (repeatable)',
      (value: string, former: readonly string[] = []) => [...former, value],
    )
    .action(async (flags: AuditFlags) => {
      const { verifyAuditLogs } = await import('./audit-command.ts');
      await verifyAuditLogs(flags, context);
    });
  addJobCommands(program, context);
  addWebhookCommands(program, context);
  addKeyCommands(program, context);
  const reset =
    'Disable the second factor of a member who has lost it, and end the sessions; servers may be running.';
  nestedCommand(program, 'members', 'reset-mfa', reset)
    .argument('<email>', 'e-mail address of the member')
    .option('--organization <id>', 'needed when several organizations have the address')
    .action(async (email: string, flags: MemberFlags) => {
      const { resetMemberMfa } = await import('./members-command.ts');
      await resetMemberMfa(email, flags, context);
    });
  const clear =
    'Empty the IP allowlist of an organization that locked itself out; servers may be running.';
  nestedCommand(program, 'organizations', 'clear-allowlist', clear)
    .argument('<organization>', 'id of the organization')
    .action(async (id: string, flags: DatabaseFlags) => {
      const { clearIpAllowlist } = await import('./organizations-command.ts');
      await clearIpAllowlist(id, flags, context);
    });
  const run = 'Apply every retention rule now and print the number of deleted records per rule.';
  nestedCommand(program, 'retention', 'run', run).action(async (flags: DatabaseFlags) => {
    const { runRetention } = await import('./retention-command.ts');
    await runRetention(flags, context);
  });
}

function addKeyCommands(program: Command, context: CommandContext): void {
  const rotate = 'Re-encrypt every secret under a new encryption key; servers may be running.';
  nestedCommand(program, 'keys', 'rotate', rotate).action(async (flags: DatabaseFlags) => {
    const { rotateKeys } = await import('./keys-command.ts');
    await rotateKeys(flags, context);
  });
  const sign = 'Sign certificates with a new key from now on; servers may be running.';
  nestedCommand(program, 'keys', 'rotate-signing', sign).action(async (flags: DatabaseFlags) => {
    const { rotateSigningKey } = await import('./keys-command.ts');
    await rotateSigningKey(flags, context);
  });
}

function addJobCommands(program: Command, context: CommandContext): void {
  nestedCommand(program, 'jobs', 'list', 'Print the unfinished jobs, oldest first.')
    .option('--queue <queue>', 'only jobs of this queue')
    .option('--failed', 'print failed jobs instead, latest failure first')
    .option('--json', 'print one line of JSON')
    .action(async (flags: JobListFlags) => {
      const { listJobs } = await import('./jobs-command.ts');
      await listJobs(flags, context);
    });
  nestedCommand(
    program,
    'jobs',
    'retry',
    'Retry failed jobs now, with their attempt counts reset to 0.',
  )
    .argument('[id...]', 'ids of failed jobs')
    .option('--queue <queue>', 'all failed jobs of this queue instead')
    .action(async (ids: string[], flags: JobRetryFlags) => {
      const { retryJobs } = await import('./jobs-command.ts');
      await retryJobs(ids, flags, context);
    });
}

function webhookCommand(program: Command, name: string, description: string): Command {
  return nestedCommand(program, 'webhooks', name, description)
    .requiredOption('--organization <id>', 'organization of the webhooks')
    .option('--json', 'print one line of JSON');
}

function addWebhookCommands(program: Command, context: CommandContext): void {
  webhookCommand(program, 'list', 'Print the webhooks, oldest first.').action(
    async (flags: WebhookListFlags) => {
      const { listWebhooks } = await import('./webhooks-command.ts');
      await listWebhooks(flags, context);
    },
  );
  const test = 'Send a test event and wait for its result; a server must be running.';
  webhookCommand(program, 'test', test)
    .argument('<webhook>', 'id of the webhook')
    .option('--type <type>', 'event type; default: the first that the webhook lists')
    .action(async (id: string, flags: WebhookTestFlags) => {
      const { testWebhook } = await import('./webhooks-command.ts');
      await testWebhook(id, flags, context);
    });
  const replay = 'Send stored events again and wait for the end; a server must be running.';
  webhookCommand(program, 'replay', replay)
    .argument('<webhook>', 'id of the webhook')
    .requiredOption('--since <time>', 'first time, ISO 8601 with an offset')
    .option('--until <time>', 'end of the time, exclusive; default: now')
    .option('--types <types>', 'event types, comma separated; default: those of the webhook')
    .option('--failed', 'only deliveries that are failed or held')
    .action(async (id: string, flags: WebhookReplayFlags) => {
      const { replayWebhook } = await import('./webhooks-command.ts');
      await replayWebhook(id, flags, context);
    });
}

function maintenanceCommand(context: CommandContext): Command {
  return new Command('maintenance')
    .description('Start or end maintenance: the general API of every instance answers 503.')
    .addArgument(new Argument('<mode>', 'on or off').choices(MAINTENANCE_MODES))
    .addOption(databaseOption())
    .allowExcessArguments(false)
    .action(async (mode: MaintenanceMode, flags: DatabaseFlags) => {
      const { setMaintenance } = await import('./maintenance-command.ts');
      await setMaintenance(mode, flags, context);
    });
}
