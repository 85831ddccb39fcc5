import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { usageFailure } from '../failure.ts';

/** Flags of `probity import`. */
export interface ImportFlags extends ServerFlags {
  readonly type: 'evaltool' | 'knowledge-base';
  readonly aiSystemId?: string;
  readonly label?: readonly string[];
  readonly gradingReasons: boolean;
  readonly dryRun?: true;
  readonly format?: 'csv' | 'json';
  readonly organization?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Options that one type of file has and the other has not. */
const OPTIONS_OF = {
  evaltool: { aiSystemId: '--ai-system-id', label: '--label', dryRun: '--dry-run' },
  'knowledge-base': { format: '--format', organization: '--organization', strict: '--strict' },
} as const;

/** Imports an evaluation or a knowledge base. @throws CommandFailure for an option of the other one */
export async function importFile(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const other = flags.type === 'evaltool' ? 'knowledge-base' : 'evaltool';
  for (const [name, option] of Object.entries(OPTIONS_OF[other])) {
    if (flags[name as keyof ImportFlags] === undefined) continue;
    throw usageFailure(`${option} goes with --type ${other}`);
  }
  if (flags.type === 'evaltool') {
    const { importEvaluation } = await import('./import.ts');
    return importEvaluation(file, flags, context);
  }
  const { importKnowledge } = await import('../knowledge/import.ts');
  return importKnowledge(file, flags, context);
}
