import { Argument, Command, Option } from 'commander';
import { baseUrlOption, collect, jsonOption, uuid } from '../options.ts';
import type { Run } from '../run.ts';
import type { ImportFlags } from './import-file.ts';

const HELP = `
An evaluation is the output file of promptfoo 0.40.0 or later, JSON or YAML, as \`promptfoo eval -o\` or
\`promptfoo export\` writes it. Prompts, outputs, variables and rubrics are not sent: --dry-run prints what
is. A file of more than 500 results is sent in parts, split by provider; of a provider with more, the
results that passed are sent as their sum, and failures in several parts. Importing a file again creates nothing. Exits
with 0 in both cases.

A knowledge base is a CSV file with the columns claim, source_url, category and confidence, or a JSON
array of objects with these members.

Examples:
  $ probity import results.json --ai-system-id 0197… --label env=ci --label commit="$GIT_COMMIT"
  $ promptfoo eval -o results.yaml; probity import results.yaml --json
  $ probity import facts.csv --type knowledge-base --format csv --organization org_…`;

/** `probity import`. */
export function importCommand(run: Run): Command {
  return new Command('import')
    .description('Import the results of an evaluation as evidence, or a knowledge base.')
    .addArgument(new Argument('<file>', 'a file; - for standard input'))
    .addOption(
      new Option('--type <type>', 'what the file holds')
        .choices(['evaltool', 'knowledge-base'])
        .default('evaltool'),
    )
    .option('--ai-system-id <uuid>', 'AI system that the evidence belongs to', uuid)
    .option('--label <key=value>', 'label of the evidence (repeatable)', collect)
    .option('--no-grading-reasons', 'send no reasons of graders, not even redacted')
    .option('--dry-run', 'print what would be sent, and send nothing')
    .addOption(
      new Option('--format <format>', 'form of a knowledge base; default: by the name').choices([
        'csv',
        'json',
      ]),
    )
    .option('--organization <id>', 'organization of a knowledge base, which is that of the key')
    .option('--strict', 'import all rows of a knowledge base or none')
    .addOption(jsonOption('print the answer of the server as JSON'))
    .addOption(baseUrlOption())
    .addHelpText('after', HELP)
    .action(
      run(async (context, file: string, flags: ImportFlags) => {
        const { importFile } = await import('./import-file.ts');
        return importFile(file, flags, context);
      }),
    );
}
