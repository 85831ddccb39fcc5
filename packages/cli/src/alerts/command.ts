import { Command, Option } from 'commander';
import { baseUrlOption, jsonOption, wholeNumber } from '../options.ts';
import type { Run } from '../run.ts';
import type { AlertFlags } from './alerts.ts';

const HELP = `
Prints a table on a terminal, JSON Lines elsewhere.

Examples:
  $ probity alerts --status open --severity critical
  $ probity alerts --limit 1000 | jq -r .message`;

/** `probity alerts`. */
export function alertsCommand(run: Run): Command {
  return new Command('alerts')
    .description('List alerts, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(['open', 'resolved']))
    .option('--type <type>', 'only these, such as pii, hallucination, injection, toxicity, policy')
    .addOption(
      new Option('--severity <severity>', 'only these').choices([
        'low',
        'medium',
        'high',
        'critical',
      ]),
    )
    .option('--limit <number>', 'print at most so many', wholeNumber(1, 1_000_000), 50)
    .addOption(jsonOption('print JSON Lines'))
    .addOption(baseUrlOption())
    .addHelpText('after', HELP)
    .action(
      run(async (context, flags: AlertFlags) => {
        const { listAlerts } = await import('./alerts.ts');
        return listAlerts(flags, context);
      }),
    );
}
