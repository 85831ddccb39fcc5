import type { EvidenceImportResult, ProbityApi } from '@probity/client';
import type { Evaluation } from '@probity/evaltool';
import { toImportFile } from '@probity/evaltool';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { openSession } from '../server/session.ts';
import { createProgressLine } from '../terminal/progress.ts';
import { counted } from '../terminal/text.ts';
import type { ImportFlags } from './import-file.ts';
import { parseLabels } from './labels.ts';
import { readParts } from './read-file.ts';
import { formatImport, formatNotes } from './report.ts';

/**
 * Imports an evaluation as evidence. What is sent is made on this machine and has no text of prompts,
 * outputs, variables or rubrics.
 */
export async function importEvaluation(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, err, signal } = context;
  const labels = parseLabels(flags.label ?? []);
  // Without a key there is no use in reading a file, which may come from a pipe.
  const session = flags.dryRun ? null : await openSession(flags, context);
  const progress = createProgressLine(err);
  try {
    const parts = await readParts(file, context, progress);
    const bodies = parts.map((part) => toBody(part, labels, flags));
    if (session === null) {
      progress.clear();
      for (const body of bodies) await out.write(`${JSON.stringify(body)}\n`);
      return EXIT.ok;
    }
    const results: EvidenceImportResult[] = [];
    for (const [index, body] of bodies.entries()) {
      progress.step(`sending part ${index + 1} of ${bodies.length}`);
      results.push(await send(session.client, body, signal, { index, results }));
    }
    progress.clear();
    const total = sumOf(results);
    const text = flags.json ? `${JSON.stringify(total)}\n` : formatImport(parts, total, out);
    await out.write(text);
    await err.write(formatNotes(total, err));
    return EXIT.ok;
  } finally {
    progress.clear();
  }
}

type ImportBody = Parameters<ProbityApi['compliance']['importEvaltool']>[0];

function toBody(
  evaluation: Evaluation,
  labels: Readonly<Record<string, string>>,
  { aiSystemId, gradingReasons }: ImportFlags,
): ImportBody {
  const results = gradingReasons
    ? evaluation.results
    : evaluation.results.map((result) => ({ ...result, gradingReason: null }));
  const body = {
    ...toImportFile({ ...evaluation, results }),
    ...(aiSystemId === undefined ? {} : { aiSystemId }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(gradingReasons ? {} : { storeGradingReason: false }),
  };
  return body as unknown as ImportBody;
}

async function send(
  client: ProbityApi,
  body: ImportBody,
  signal: AbortSignal,
  { index, results }: { readonly index: number; readonly results: readonly EvidenceImportResult[] },
): Promise<EvidenceImportResult> {
  try {
    return await client.compliance.importEvaltool(body, { signal });
  } catch (error) {
    if (index === 0 || !(error instanceof Error)) throw error;
    // Parts that were sent stay: sending the file again skips them.
    const done = counted(sumOf(results).evidenceCreated, 'record');
    error.message += ` (${counted(index, 'part')} with ${done} had been imported; run the import again)`;
    throw error;
  }
}

/** The answers of several parts as one. */
function sumOf(results: readonly EvidenceImportResult[]): EvidenceImportResult {
  const sum = (count: (result: EvidenceImportResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    totalResultsProcessed: sum((result) => result.totalResultsProcessed),
    evidenceCreated: sum((result) => result.evidenceCreated),
    evidenceSkipped: sum((result) => result.evidenceSkipped),
    obligationLinksCreated: sum((result) => result.obligationLinksCreated),
    evidenceIds: results.flatMap(({ evidenceIds }) => evidenceIds),
    warnings: [...new Set(results.flatMap(({ warnings }) => warnings))],
  };
}
