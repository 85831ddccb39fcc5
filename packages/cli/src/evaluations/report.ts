import type { EvidenceImportResult } from '@probity/client';
import type { Evaluation, EvaluationResult } from '@probity/evaltool';
import type { Output } from '../terminal/output.ts';
import { formatTable } from '../terminal/table.ts';
import { counted, styled, visible } from '../terminal/text.ts';

interface ProviderCounts {
  readonly provider: string;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
}

/** A line for each provider, and the counts of the server. */
export function formatImport(
  parts: readonly Evaluation[],
  result: EvidenceImportResult,
  output: Output,
): string {
  const table = formatTable(
    countProviders(parts.flatMap(({ part, results }) => (part === 'failures' ? [] : results))),
    [
      { title: 'provider', value: ({ provider }) => provider },
      { title: 'passed', value: ({ passed }) => String(passed) },
      { title: 'failed', value: ({ failed }) => String(failed) },
      { title: 'errors', value: ({ errors }) => String(errors) },
    ],
    output,
  );
  const { evidenceCreated, evidenceSkipped, obligationLinksCreated } = result;
  const summary = [
    `${counted(result.totalResultsProcessed, 'result')}`,
    `${counted(evidenceCreated, 'evidence record')} created`,
    `${evidenceSkipped.toLocaleString('en-US')} skipped`,
    `${counted(obligationLinksCreated, 'link')} to obligations`,
  ].join(', ');
  return `${table}\n${summary}\n`;
}

/** What is to be known besides: the warnings of the server, and that nothing was new. */
export function formatNotes(result: EvidenceImportResult, output: Output): string {
  const { evidenceCreated, evidenceSkipped, warnings } = result;
  const lines = warnings.map(
    (warning) => `probity: ${styled('warning:', 'yellow', output)} ${visible(warning)}\n`,
  );
  if (evidenceCreated === 0 && evidenceSkipped > 0) {
    lines.push('probity: nothing new: this run was imported already\n');
  }
  return lines.join('');
}

function countProviders(results: readonly EvaluationResult[]): ProviderCounts[] {
  const counts = new Map<string, { passed: number; failed: number; errors: number }>();
  for (const { provider, success, error, count: size } of results) {
    const name = nameOf(provider);
    const count = counts.get(name) ?? { passed: 0, failed: 0, errors: 0 };
    counts.set(name, count);
    if (error) count.errors += size;
    else if (success) count.passed += size;
    else count.failed += size;
  }
  return [...counts].map(([provider, count]) => ({ provider, ...count }));
}

/** The provider as titles of records name it. */
function nameOf({ id, label }: EvaluationResult['provider']): string {
  return label === null ? id : `${id} [${label}]`;
}
