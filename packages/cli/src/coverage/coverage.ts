import type { SystemCoverage } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { Framework } from '../obligations/frameworks.ts';
import { openSession } from '../server/session.ts';
import { styled } from '../terminal/text.ts';
import { formatMatrix, isGap } from './matrix.ts';

/** Flags of `probity coverage`. */
export interface CoverageFlags extends ServerFlags {
  readonly framework?: Framework;
  readonly aiSystemId?: string;
  readonly gaps?: true;
  readonly json?: true;
}

/** Prints the matrix of obligations and AI systems. */
export async function showCoverage(
  { framework, aiSystemId, gaps, json, ...flags }: CoverageFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, signal } = context;
  const { client } = await openSession(flags, context);
  // With an id, an AI system that does not exist is a failure and not an empty matrix.
  if (aiSystemId !== undefined) await client.compliance.getAiSystem(aiSystemId, { signal });
  const found = client.compliance.getCoverage({ framework, aiSystemId }, { signal });
  const rows = gaps ? withoutRest(found) : found;
  if (out.isTerminal && !json) {
    const all: SystemCoverage[] = [];
    for await (const row of rows) all.push(row);
    await out.write(
      all.length === 0
        ? styled('no AI systems and no evidence\n', 'faint', out)
        : formatMatrix(all, { isNarrowed: gaps === true, output: out }),
    );
    return EXIT.ok;
  }
  for await (const row of rows) {
    const obligations = gaps ? row.obligations.filter(isGap) : row.obligations;
    await out.write(`${JSON.stringify({ ...row, obligations })}\n`);
    if (out.isClosed) break;
  }
  return EXIT.ok;
}

/** The rows of AI systems; that of the evidence about none, which is last, only where there are no others. */
async function* withoutRest(rows: AsyncIterable<SystemCoverage>): AsyncGenerator<SystemCoverage> {
  let hasSystems = false;
  for await (const row of rows) {
    if (row.aiSystem === null && hasSystems) return;
    hasSystems = true;
    yield row;
  }
}
