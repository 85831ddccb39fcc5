import { Argument, Command, Option } from 'commander';
import { baseUrlOption, collect } from '../options.ts';
import type { Run } from '../run.ts';
import type { ScanFlags } from './scan.ts';

const HELP = `
The file is a text, the response of a model; with --input json, or a name that ends in .json, it is the
body of the request: {"prompt", "response", "context", "policyIds", "metadata"}. Prints a table on a
terminal, the JSON of the server elsewhere. Exits with 1 when the verdict is that of --fail-on or worse.

Examples:
  $ probity scan answer.txt
  $ echo 'Her SSN is 536-22-8145.' | probity scan --fail-on flagged
  $ probity scan answer.txt --prompt prompt.txt --policy pol_…`;

/** `probity scan`. */
export function scanCommand(run: Run): Command {
  return new Command('scan')
    .description('Scan a response by the policies of the organization.')
    .addArgument(new Argument('[file]', 'a file; standard input without, or for -'))
    .option('--prompt <file>', 'file with the prompt that the response answers')
    .addOption(new Option('--input <form>', 'form of the input').choices(['text', 'json']))
    .option('--policy <id>', 'apply this policy only (repeatable)', collect)
    .addOption(
      new Option('--fail-on <verdict>', 'verdict from which on the exit code is 1')
        .choices(['blocked', 'flagged', 'never'])
        .default('blocked'),
    )
    .addOption(new Option('--format <format>', 'form of the output').choices(['table', 'json']))
    .option('--json', 'the same as --format json')
    .addOption(baseUrlOption())
    .addHelpText('after', HELP)
    .action(
      run(async (context, file: string | undefined, flags: ScanFlags) => {
        const { scan } = await import('./scan.ts');
        return scan(file, flags, context);
      }),
    );
}
