import type { Obligation } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';
import { printListing } from '../terminal/listing.ts';
import type { Framework } from './frameworks.ts';

/** Flags of `probity obligations`. */
export interface ObligationFlags extends ServerFlags {
  readonly framework?: Framework;
  readonly role?: Obligation['role'][number];
  readonly riskClass?: NonNullable<Obligation['riskClasses']>[number];
  readonly withoutEvidence?: true;
  readonly q?: string;
  readonly limit: number;
  readonly json?: true;
}

/** Prints obligations in the order of the catalogue. */
export async function listObligations(
  flags: ObligationFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { client } = await openSession(flags, context);
  const { framework } = flags;
  const { signal } = context;
  return printListing<Obligation>(
    // The API narrows by framework; the catalogue is small, so that the rest is narrowed here.
    (limit) => matching(client.compliance.listObligations({ framework, limit }, { signal }), flags),
    [
      { title: 'id', value: ({ id }) => id },
      { title: 'applies from', value: ({ appliesFrom }) => appliesFrom ?? '' },
      {
        title: 'supporting',
        value: ({ supportingCount }) => String(supportingCount),
        style: ({ supportingCount }) => (supportingCount > 0 ? 'green' : undefined),
      },
      {
        title: 'adverse',
        value: ({ adverseCount }) => String(adverseCount),
        style: ({ adverseCount }) => (adverseCount > 0 ? 'red' : undefined),
      },
      { title: 'title', value: ({ title }) => title },
    ],
    flags,
    context,
  );
}

async function* matching(
  obligations: AsyncIterable<Obligation>,
  { role, riskClass, withoutEvidence, q }: ObligationFlags,
): AsyncGenerator<Obligation> {
  const text = q?.toLowerCase();
  for await (const obligation of obligations) {
    const { id, reference, title, keywords, riskClasses, supportingCount } = obligation;
    const { role: roles } = obligation;
    if (role !== undefined && roles.length > 0 && !roles.includes(role)) continue;
    if (riskClass !== undefined && riskClasses && !riskClasses.includes(riskClass)) continue;
    if (withoutEvidence && supportingCount > 0) continue;
    const searched = [id, reference, title, ...keywords].join('\n').toLowerCase();
    if (text !== undefined && !searched.includes(text)) continue;
    yield obligation;
  }
}
