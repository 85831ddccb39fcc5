import type { Evidence, ListEvidenceQuery } from '@probity/client';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from '../credentials/access.ts';
import { parseLabels } from '../evaluations/labels.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Framework } from '../obligations/frameworks.ts';
import { openSession } from '../server/session.ts';
import { printListing } from '../terminal/listing.ts';
import type { Style } from '../terminal/text.ts';

/** Flags that narrow a list or an export of evidence. */
export interface EvidenceFilterFlags extends ServerFlags {
  readonly aiSystemId?: string;
  readonly evidenceType?: string;
  readonly framework?: Framework;
  readonly obligation?: string;
  readonly label?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly q?: string;
}

/** Flags of `probity evidence list`. */
export interface EvidenceListFlags extends EvidenceFilterFlags {
  readonly limit: number;
  readonly json?: true;
}

/** Prints evidence records, newest first. */
export async function listEvidence(
  flags: EvidenceListFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const query = toEvidenceFilter(flags);
  const { client } = await openSession(flags, context);
  return printListing<Evidence>(
    (limit) => client.compliance.listEvidence({ ...query, limit }, { signal: context.signal }),
    [
      { title: 'created', value: ({ createdAt }) => createdAt },
      { title: 'id', value: ({ id }) => id },
      { title: 'type', value: ({ evidenceType }) => evidenceType },
      { title: 'stance', value: stanceOf, style: styleOf },
      { title: 'title', value: ({ title }) => title },
    ],
    flags,
    context,
  );
}

/** The filter of the API; values that only the server knows, such as ids of obligations, are checked there. */
export function toEvidenceFilter(flags: EvidenceFilterFlags): ListEvidenceQuery {
  const labels = Object.entries(parseLabels(flags.label ?? []));
  const { aiSystemId, evidenceType, framework, obligation, since, until, q } = flags;
  const filter = { aiSystemId, evidenceType, framework, obligation, since, until, q };
  const label = labels.map(labelFilter).join(',');
  return { ...filter, ...(label === '' ? {} : { label }) } as ListEvidenceQuery;
}

/** The stance of the record on its obligations; empty for none. */
function stanceOf({ links }: Evidence): string {
  const stances = new Set(links.map(({ stance }) => stance));
  return stances.size > 1 ? 'mixed' : ([...stances][0] ?? '');
}

function styleOf(record: Evidence): Style | undefined {
  const stance = stanceOf(record);
  if (stance === '') return undefined;
  return stance === 'supporting' ? 'green' : 'red';
}

/** A label as the filter of the API has it. */
function labelFilter([name, value]: readonly [string, string]): string {
  return `${name.replace(/[\\,:]/g, '\\$&')}:${value.replace(/[\\,]/g, '\\$&')}`;
}
