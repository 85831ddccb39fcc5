import type { Scan, ScanFilter } from './types.ts';

/** What scans are found by besides their own columns. */
export interface Mark {
  readonly kind: 'stage' | 'type' | 'policy';
  readonly value: string;
}

/** The marks that a filter asks for; the one that most likely fits the fewest scans comes first. */
export function marksOf({ stage, type, policyId }: ScanFilter): Mark[] {
  const asked = [
    { kind: 'type', value: type },
    { kind: 'stage', value: stage },
    { kind: 'policy', value: policyId },
  ] as const;
  return asked.flatMap(({ kind, value }) => (value === undefined ? [] : [{ kind, value }]));
}

/** The marks of a scan, each once: its policies, and stages and types of all its findings, listed or not. */
export function marksOfScan({ findings, facts, policies }: Scan): Mark[] {
  const further = [...(facts?.cut ?? []), ...(facts?.omitted ?? [])];
  const stages = [...findings.map(({ stage }) => stage), ...further.map(([stage]) => stage)];
  const types = [...findings.map(({ type }) => type), ...further.map(([, type]) => type)];
  const marks = (kind: Mark['kind'], values: readonly string[]) =>
    [...new Set(values)].map((value) => ({ kind, value }));
  return [
    ...marks('stage', stages),
    ...marks('type', types),
    ...marks(
      'policy',
      policies.map(({ id }) => id),
    ),
  ];
}

/** Whether a scan fits a filter. */
export function matchesFilter(scan: Scan, filter: ScanFilter): boolean {
  const { verdict, keyId, aiSystemId, since, until } = filter;
  if (verdict !== undefined && scan.verdict !== verdict) return false;
  if (keyId !== undefined && scan.keyId !== keyId) return false;
  if (aiSystemId !== undefined && scan.aiSystemId !== aiSystemId) return false;
  if (since && scan.createdAt < since) return false;
  if (until && scan.createdAt >= until) return false;
  const marks = marksOfScan(scan);
  return marksOf(filter).every(({ kind, value }) =>
    marks.some((mark) => mark.kind === kind && mark.value === value),
  );
}
