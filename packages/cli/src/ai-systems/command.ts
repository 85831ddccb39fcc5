import { Argument, Command, Option } from 'commander';
import { baseUrlOption, jsonOption, uuid, wholeNumber } from '../options.ts';
import type { Run } from '../run.ts';
import type { AiSystemFlags, AiSystemListFlags, RiskClass } from './ai-systems.ts';

/** The classes under Regulation (EU) 2024/1689, and `none` for a system that is not classified. */
const RISK_CLASSES = [
  ...(['prohibited', 'high', 'limited', 'minimal', 'gpai', 'gpai_systemic'] as const),
  'none',
] as const satisfies readonly (RiskClass | 'none')[];

/** `probity ai-systems`. */
export function aiSystemsCommand(run: Run): Command {
  return new Command('ai-systems')
    .description('Manage the AI systems that evidence is about.')
    .addCommand(listCommand(run))
    .addCommand(createCommand(run))
    .addCommand(updateCommand(run))
    .addCommand(deleteCommand(run));
}

const LIST_HELP = `
Prints a table on a terminal, JSON Lines elsewhere.

Examples:
  $ probity ai-systems list
  $ probity ai-systems list | jq -r 'select(.name == "Support assistant").id'`;

function listCommand(run: Run): Command {
  return new Command('list')
    .description('List AI systems, oldest first.')
    .option('--limit <number>', 'print at most so many', wholeNumber(1, 1_000_000), 200)
    .addOption(jsonOption('print JSON Lines'))
    .addOption(baseUrlOption())
    .addHelpText('after', LIST_HELP)
    .action(
      run(async (context, flags: AiSystemListFlags) => {
        const { listAiSystems } = await import('./ai-systems.ts');
        return listAiSystems(flags, context);
      }),
    );
}

const CREATE_HELP = `
Examples:
  $ probity ai-systems create "Support assistant" --risk-class limited --owner "Customer care"
  $ id=$(probity ai-systems create "Screening of applications" --risk-class high --json | jq -r .id)`;

function createCommand(run: Run): Command {
  return withMembers(new Command('create').description('Register an AI system.'))
    .addArgument(new Argument('<name>', 'its name'))
    .addHelpText('after', CREATE_HELP)
    .action(
      run(async (context, name: string, flags: AiSystemFlags) => {
        const { createAiSystem } = await import('./ai-systems.ts');
        return createAiSystem({ ...flags, name }, context);
      }),
    );
}

const UPDATE_HELP = `
Changes what is given. The coverage follows a new risk class at once.

Examples:
  $ probity ai-systems update 0197… --risk-class high
  $ probity ai-systems update 0197… --owner ''`;

function updateCommand(run: Run): Command {
  return withMembers(new Command('update').description('Change an AI system.'))
    .addArgument(idArgument())
    .option('--name <name>', 'its name')
    .addHelpText('after', UPDATE_HELP)
    .action(
      run(async (context, id: string, flags: AiSystemFlags) => {
        const { updateAiSystem } = await import('./ai-systems.ts');
        return updateAiSystem(id, flags, context);
      }),
    );
}

const DELETE_HELP = `
An AI system that evidence is about is not deleted: the server refuses it.

Examples:
  $ probity ai-systems delete 0197…`;

function deleteCommand(run: Run): Command {
  return new Command('delete')
    .description('Delete an AI system that no evidence is about.')
    .addArgument(idArgument())
    .addOption(baseUrlOption())
    .addHelpText('after', DELETE_HELP)
    .action(
      run(async (context, id: string, flags: { readonly baseUrl?: string }) => {
        const { deleteAiSystem } = await import('./ai-systems.ts');
        return deleteAiSystem(id, flags, context);
      }),
    );
}

function idArgument(): Argument {
  return new Argument('<uuid>', 'its id').argParser(uuid);
}

function withMembers(command: Command): Command {
  return command
    .option('--description <text>', 'what it does; an empty text for none')
    .addOption(
      new Option('--risk-class <class>', 'class under Regulation (EU) 2024/1689').choices(
        RISK_CLASSES,
      ),
    )
    .option('--owner <text>', 'who is responsible for it; an empty text for nobody')
    .addOption(jsonOption())
    .addOption(baseUrlOption());
}
