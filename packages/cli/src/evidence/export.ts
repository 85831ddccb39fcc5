import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';
import type { EvidenceFilterFlags } from './list.ts';
import { toEvidenceFilter } from './list.ts';

/** Flags of `probity evidence export`. */
export interface EvidenceExportFlags extends EvidenceFilterFlags {
  readonly format: 'jsonl' | 'csv' | 'json';
}

/** Writes an export of the evidence to standard output as it arrives. */
export async function exportEvidence(
  flags: EvidenceExportFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const query = { ...toEvidenceFilter(flags), format: flags.format };
  const { client } = await openSession(flags, context);
  const file = await client.compliance.exportEvidence(query, { signal: context.signal });
  const decoder = new TextDecoder();
  for await (const chunk of file) await context.out.write(decoder.decode(chunk, { stream: true }));
  await context.out.write(decoder.decode());
  return EXIT.ok;
}
