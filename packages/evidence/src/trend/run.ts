import type { Evidence } from '../records/types.ts';
import type { EvaluationRun } from './types.ts';

/** The run that a record sums up; null for any other record. */
export function runOf(
  record: Pick<Evidence, 'evidenceType' | 'metadata' | 'sequence' | 'occurredAt' | 'createdAt'>,
): EvaluationRun | null {
  const { evidenceType, metadata, sequence, occurredAt, createdAt } = record;
  if (evidenceType !== 'evaltool_eval' || metadata.findingType !== undefined) return null;
  const { providers, stats } = metadata;
  const [provider] = Array.isArray(providers) ? (providers as unknown[]) : [];
  if (typeof provider !== 'string' || typeof stats !== 'object' || stats === null) return null;
  const [successes, failures, errors] = ['successes', 'failures', 'errors'].map(
    (name) => (stats as Record<string, unknown>)[name],
  );
  if (!isCount(successes) || !isCount(failures) || !isCount(errors)) return null;
  const evaluatedAt = occurredAt ?? createdAt;
  return { sequence, provider, evaluatedAt, successes, failures, errors };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
