import { hash } from 'node:crypto';
import type { RuntimeSummary } from '@probity/core/internal';
import type { NewEvidence } from '../records/types.ts';

/**
 * The obligations that what runs is evidence for: record-keeping and logs, oversight by people, robustness, monitoring by
 * deployers and providers, and the controls on monitoring and logs of the other frameworks.
 */
export const RUNTIME_OBLIGATIONS: readonly string[] = [
  ...['euaia-art-12', 'euaia-art-14', 'euaia-art-15-4', 'euaia-art-26-5', 'euaia-art-26-6'],
  ...['euaia-art-72', 'euhs-18229-1', 'euhs-24970', 'nist-measure-2-4', 'nist-manage-4-1'],
  ...['iso42001-a-6-2-6', 'iso42001-a-6-2-8', 'soc2-cc7-2'],
];

/** The type of the records. */
const RUNTIME_EVIDENCE = 'runtime_summary';

/** Version of the idempotency key: its fields never change under it. */
const KEY_VERSION = 1;

/** Key of the record of one day of an AI system. */
function runtimeKey(organizationId: string, { aiSystemId, day }: RuntimeSummary): string {
  const fields = ['runtime', 'summary', KEY_VERSION, organizationId, aiSystemId, day];
  return hash('sha256', JSON.stringify(fields));
}

/** The record of a summary; `aiSystemId` is null where the organization has no such AI system (any more). */
export function toRuntimeEvidence(
  summary: RuntimeSummary,
  { aiSystemId, ...facts }: Pick<NewEvidence, 'id' | 'organizationId' | 'aiSystemId' | 'createdAt'>,
): NewEvidence {
  const { day } = summary;
  return {
    ...facts,
    evidenceType: RUNTIME_EVIDENCE,
    source: 'governance',
    title: `Runtime on ${day}`,
    content: contentOf(summary),
    metadata: { ...summary },
    aiSystemId,
    labels: {},
    obligationIds: RUNTIME_OBLIGATIONS,
    idempotencyKey: runtimeKey(facts.organizationId, summary),
    occurredAt: new Date(`${day}T00:00:00.000Z`),
  };
}

function contentOf({ day, scans, verdicts, policies, alerts, decisions }: RuntimeSummary): string {
  const { allowed = 0, flagged = 0, blocked = 0 } = verdicts;
  return [
    `On ${day} (UTC) ${scans.total} calls were scanned under ${policies.length} versions of policies:`,
    `${allowed} were allowed, ${flagged} flagged, ${blocked} blocked; of ${scans.errors} a stage did not finish.`,
    `${alerts.created} alerts were made, and ${decisions.length} members resolved ${alerts.resolved}.`,
  ].join(' ');
}
