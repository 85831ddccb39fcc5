import { Command, Option } from 'commander';
import { baseUrlOption, jsonOption, wholeNumber } from '../options.ts';
import type { Run } from '../run.ts';
import { frameworkOption } from './frameworks.ts';
import type { ObligationFlags } from './obligations.ts';

const HELP = `
Prints a table on a terminal, JSON Lines elsewhere. Evidence supports an obligation; whether it is complied
with is for people to judge.

Examples:
  $ probity obligations --framework eu-ai-act --role deployer
  $ probity obligations --without-evidence | jq -r .id`;

/** `probity obligations`. */
export function obligationsCommand(run: Run): Command {
  return new Command('obligations')
    .description('List the obligations that evidence can support, with the number of records.')
    .addOption(frameworkOption('only those of this framework'))
    .addOption(
      new Option('--role <role>', 'only those of this role, or of none').choices([
        'provider',
        'deployer',
        'importer',
        'distributor',
        'gpai',
      ]),
    )
    .addOption(
      new Option('--risk-class <class>', 'only those about AI systems of this class').choices([
        'prohibited',
        'high',
        'limited',
        'minimal',
        'gpai',
        'gpai_systemic',
      ]),
    )
    .option('--without-evidence', 'only those that no record supports')
    .option('--q <text>', 'only those with this text in id, reference, title or keywords')
    .option('--limit <number>', 'print at most so many', wholeNumber(1, 1_000_000), 1_000)
    .addOption(jsonOption('print JSON Lines'))
    .addOption(baseUrlOption())
    .addHelpText('after', HELP)
    .action(
      run(async (context, flags: ObligationFlags) => {
        const { listObligations } = await import('./obligations.ts');
        return listObligations(flags, context);
      }),
    );
}
