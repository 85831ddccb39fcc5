import { Argument, Command, Option } from 'commander';
import { frameworkOption } from '../obligations/frameworks.ts';
import { baseUrlOption, collect, instant, jsonOption, uuid, wholeNumber } from '../options.ts';
import type { Run } from '../run.ts';
import type { EvidenceExportFlags } from './export.ts';
import type { EvidenceListFlags } from './list.ts';
import type { EvidenceVerifyFlags } from './verify.ts';

const EXPORT_FORMATS = ['jsonl', 'csv', 'json', 'oscal'] as const;

/** `probity evidence`. */
export function evidenceCommand(run: Run): Command {
  return new Command('evidence')
    .description('List and export compliance evidence, and verify that nothing in it was changed.')
    .addCommand(listCommand(run))
    .addCommand(exportCommand(run))
    .addCommand(verifyCommand(run));
}

const LIST_HELP = `
Prints a table on a terminal, JSON Lines elsewhere.

Examples:
  $ probity evidence list --framework eu-ai-act --label env=production
  $ probity evidence list --since 2026-01-01T00:00:00Z --limit 10000 --json`;

function listCommand(run: Run): Command {
  return withFilters(new Command('list').description('List evidence records, newest first.'))
    .option('--limit <number>', 'print at most so many', wholeNumber(1, 1_000_000), 50)
    .addOption(jsonOption('print JSON Lines'))
    .addOption(baseUrlOption())
    .addHelpText('after', LIST_HELP)
    .action(
      run(async (context, flags: EvidenceListFlags) => {
        const { listEvidence } = await import('./list.ts');
        return listEvidence(flags, context);
      }),
    );
}

/** The options that narrow a list or an export. */
function withFilters(command: Command): Command {
  return command
    .option('--ai-system-id <uuid>', 'only those of this AI system', uuid)
    .option('--evidence-type <type>', 'only those of this type, such as evaltool_eval')
    .addOption(frameworkOption('only those with a link to this framework'))
    .option('--obligation <id>', 'only those with a link to this obligation')
    .option('--label <key=value>', 'only those with this label (repeatable)', collect)
    .option('--since <time>', 'from this time on, ISO 8601 with an offset', instant)
    .option('--until <time>', 'before this time, ISO 8601 with an offset', instant)
    .option('--q <text>', 'only those with this text in the title or the content');
}

const EXPORT_HELP = `
Writes to standard output, or with --output to a file that is there whole or not at all. JSON Lines have the
whole chain, which probity evidence verify checks without the server, and take no filter; CSV and JSON have
the records; OSCAL has them as assessment results.

Examples:
  $ probity evidence export --output evidence.jsonl
  $ probity evidence export --format csv --rows obligations --framework eu-ai-act > evidence.csv`;

function exportCommand(run: Run): Command {
  const format = new Option('--format <format>', 'the format').choices([...EXPORT_FORMATS]);
  const rows = new Option(
    '--rows <what>',
    'rows of csv: records, or each of their obligations',
  ).choices(['records', 'obligations']);
  return withFilters(new Command('export').description('Export evidence records and their chain.'))
    .addOption(format.default('jsonl'))
    .addOption(rows)
    .option('-o, --output <file>', 'write to this file')
    .addOption(baseUrlOption())
    .addHelpText('after', EXPORT_HELP)
    .action(
      run(async (context, flags: EvidenceExportFlags) => {
        const { exportEvidence } = await import('./export.ts');
        return exportEvidence(flags, context);
      }),
    );
}

const VERIFY_HELP = `
Without a file the server walks the chain of hashes of the organization. With a file, an export in JSON
Lines, the check is made on this machine alone and needs neither a server nor an API key. Exits with 1
when a record was changed, removed or moved. Keep the end that is printed: with --expect, a chain that was
made anew is found as well.

Examples:
  $ probity evidence verify
  $ probity evidence export > evidence.jsonl
  $ probity evidence verify evidence.jsonl`;

function verifyCommand(run: Run): Command {
  return new Command('verify')
    .description('Verify the chain of hashes over the evidence.')
    .addArgument(new Argument('[file]', 'an export in JSON Lines; - for standard input'))
    .option('--expect <sequence:hash>', 'fail unless the file has this node')
    .addOption(jsonOption())
    .addOption(baseUrlOption())
    .addHelpText('after', VERIFY_HELP)
    .action(
      run(async (context, file: string | undefined, flags: EvidenceVerifyFlags) => {
        const { verifyEvidence } = await import('./verify.ts');
        return verifyEvidence(file, flags, context);
      }),
    );
}
