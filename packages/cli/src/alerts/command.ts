import { Argument, Command, Option } from 'commander';
import { baseUrlOption, instant, jsonOption, wholeNumber } from '../options.ts';
import type { Run } from '../run.ts';
import type { AlertFlags } from './alerts.ts';
import type { AcknowledgeFlags, ResolveFlags } from './change.ts';

const HELP = `
Prints a table on a terminal, JSON Lines elsewhere.

Examples:
  $ probity alerts --status open --severity critical
  $ probity alerts --limit 1000 | jq -r .message
  $ probity alerts resolve alr_… --resolution 'A test number'`;

/** `probity alerts`. */
export function alertsCommand(run: Run): Command {
  return (
    new Command('alerts')
      .description('List alerts, newest first; resolve and acknowledge them.')
      // Options before the name of a subcommand are those of the list.
      .enablePositionalOptions()
      .addCommand(resolveCommand(run))
      .addCommand(acknowledgeCommand(run))
      .addArgument(new Argument('[list]', 'may be given or left out').choices(['list']))
      .addOption(new Option('--status <status>', 'only these').choices(['open', 'resolved']))
      .option(
        '--type <type>',
        'only these, such as pii, hallucination, injection, toxicity, policy',
      )
      .addOption(
        new Option('--severity <severity>', 'only these').choices([
          'low',
          'medium',
          'high',
          'critical',
        ]),
      )
      .option('--since <time>', 'from this time on, ISO 8601 with an offset', instant)
      .option('--until <time>', 'before this time, ISO 8601 with an offset', instant)
      .option('--scan-id <id>', 'only those that this scan raised')
      .option('--assignee <id>', 'only those that are assigned to this member')
      .option('--q <text>', 'only those with this text in the message or the resolution')
      .option('--limit <number>', 'print at most so many', wholeNumber(1, 1_000_000), 50)
      .addOption(jsonOption('print JSON Lines'))
      .addOption(baseUrlOption())
      .addHelpText('after', HELP)
      .action(
        run(async (context, _list: 'list' | undefined, flags: AlertFlags) => {
          const { listAlerts } = await import('./alerts.ts');
          return listAlerts(flags, context);
        }),
      )
  );
}

const RESOLVE_HELP = `
Resolves those that are open, and says of each alert what became of it. Alerts that were resolved before stay as they are. Exits
with 1 when one of the ids is unknown.

Examples:
  $ probity alerts resolve alr_… alr_… --resolution 'A test number'
  $ probity alerts --q 'test' --json | jq -r .id | xargs probity alerts resolve --resolution 'Test data'`;

function resolveCommand(run: Run): Command {
  return new Command('resolve')
    .description('Resolve alerts.')
    .addArgument(idsArgument())
    .requiredOption('--resolution <text>', 'how they were resolved')
    .addOption(jsonOption())
    .addOption(baseUrlOption())
    .addHelpText('after', RESOLVE_HELP)
    .action(
      run(async (context, ids: string[], flags: ResolveFlags) => {
        const { resolveAlerts } = await import('./change.ts');
        return resolveAlerts(ids, flags, context);
      }),
    );
}

function acknowledgeCommand(run: Run): Command {
  return new Command('ack')
    .description('Acknowledge alerts: note that you have seen them.')
    .addArgument(idsArgument())
    .addOption(jsonOption())
    .addOption(baseUrlOption())
    .action(
      run(async (context, ids: string[], flags: AcknowledgeFlags) => {
        const { acknowledgeAlerts } = await import('./change.ts');
        return acknowledgeAlerts(ids, flags, context);
      }),
    );
}

function idsArgument(): Argument {
  return new Argument('<ids...>', 'ids of alerts');
}
