import { Command } from 'commander';
import { frameworkOption } from '../obligations/frameworks.ts';
import { baseUrlOption, jsonOption, uuid } from '../options.ts';
import type { Run } from '../run.ts';
import type { CoverageFlags } from './coverage.ts';

const HELP = `
Prints the matrix of obligations and AI systems on a terminal: the number of records that support,
of adverse ones (failures, as in +2!), and the day of the newest. Elsewhere a line of JSON for each AI system. Obligations that are not about the risk class of an
AI system have no entry. Evidence supports an obligation; whether it is complied with is for people to
judge.

Examples:
  $ probity coverage --framework eu-ai-act
  $ probity coverage --gaps --ai-system-id 0197…
  $ probity coverage --json | jq '{name: .aiSystem.name, without: [.obligations[] | select(.supportingCount == 0).id]}'`;

/** `probity coverage`. */
export function coverageCommand(run: Run): Command {
  return new Command('coverage')
    .description('Show which obligations are supported by evidence, for each AI system.')
    .addOption(frameworkOption('only the obligations of this framework'))
    .option('--ai-system-id <uuid>', 'only this AI system', uuid)
    .option('--gaps', 'only obligations that apply today and have no supporting evidence')
    .addOption(jsonOption('print JSON Lines'))
    .addOption(baseUrlOption())
    .addHelpText('after', HELP)
    .action(
      run(async (context, flags: CoverageFlags) => {
        const { showCoverage } = await import('./coverage.ts');
        return showCoverage(flags, context);
      }),
    );
}
