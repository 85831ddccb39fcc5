import type { Evidence } from '../records/types.ts';
import type { EvaluationRun } from './types.ts';

/** The run that a record sums up; null for any other record. */
export function runOf(
  record: Pick<Evidence, 'evidenceType' | 'metadata' | 'sequence' | 'occurredAt' | 'createdAt'>,
): EvaluationRun | null {
  const { evidenceType, metadata, sequence, occurredAt, createdAt } = record;
  if (evidenceType !== 'evaltool_eval' || metadata.findingType !== undefined) return null;
  const { providers, providerLabels, stats } = metadata;
  const [provider] = Array.isArray(providers) ? (providers as unknown[]) : [];
  if (typeof provider !== 'string' || typeof stats !== 'object' || stats === null) return null;
  const [successes, failures, errors] = ['successes', 'failures', 'errors'].map(
    (name) => (stats as Record<string, unknown>)[name],
  );
  if (!isCount(successes) || !isCount(failures) || !isCount(errors)) return null;
  const evaluatedAt = occurredAt ?? createdAt;
  return {
    sequence,
    provider,
    providerLabel: onlyOf(providerLabels),
    evaluatedAt,
    successes,
    failures,
    errors,
  };
}

/** The label; null where there is none, or where an early record has those of several systems. */
function onlyOf(labels: unknown): string | null {
  const [label, ...others] = Array.isArray(labels) ? (labels as unknown[]) : [];
  return typeof label === 'string' && label !== '' && others.length === 0 ? label : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
