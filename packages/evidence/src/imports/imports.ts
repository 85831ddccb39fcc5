import { isDeepStrictEqual } from 'node:util';
import type { CallContext, Runtime } from '@probity/core';
import { createUuid, requireSecretBox, validate } from '@probity/core/internal';
import type { Evaluation, EvidenceDraft } from '@probity/evaltool';
import { evidenceOf, replaceTexts } from '@probity/evaltool';
import { requireAiSystem } from '../ai-systems/ai-systems.ts';
import { matchObligations } from '../obligations/match.ts';
import { createEvidenceAppender } from '../records/append.ts';
import type { Evidence, NewEvidence } from '../records/types.ts';
import type { EvidenceStorage } from '../storage.ts';
import { importOptions } from './input.ts';
import type { EvaluationImport, ImportResult, RedactTexts } from './types.ts';

/** Imports of evaluations into the evidence of the caller's organization. */
export interface EvidenceImports {
  /**
   * Appends one record for each provider of an evaluation and one for each failing result, all of them
   * in one transaction. Records that an earlier import of the same evaluation has created are left as
   * they are.
   * @throws ProbityError `not_found` when the organization has no such AI system, `validation_failed`
   *   naming a wrong label or option
   */
  importEvaluation(context: CallContext, input: EvaluationImport): Promise<ImportResult>;
}

/** Options of {@link createEvidenceImports}. */
export interface EvidenceImportOptions {
  readonly storage: EvidenceStorage;
  /** Default: the texts of an evaluation are stored as its file has them. */
  readonly redactTexts?: RedactTexts | undefined;
}

/** Creates the service for imports. */
export function createEvidenceImports(
  runtime: Runtime,
  { storage, redactTexts }: EvidenceImportOptions,
): EvidenceImports {
  const { audit, clock, random, tenants } = runtime;
  const appender = createEvidenceAppender(runtime);
  const redacted = createRedaction(runtime, redactTexts);
  return {
    async importEvaluation(context, { evaluation: read, ...given }) {
      const options = validate(importOptions, given, 'input');
      const { aiSystemId = null, labels = {}, storeGradingReason = true } = options;
      const { organizationId } = context.principal;
      const evaluation = await redacted(read, organizationId);
      const made = evidenceOf(evaluation, { organizationId, storeGradingReason });
      const drafts: readonly EvidenceDraft[] = [...made.summaries, ...made.failures];
      const links = { organizationId, aiSystemId, labels };
      const createdAt = clock.now();
      const records = drafts.map((draft) => ({
        ...toRecord(draft, createdAt),
        ...links,
        id: createUuid({ clock, random }),
      }));
      await tenants?.ensure(organizationId, context);
      return storage.withTenantLock(context, organizationId, async (tx) => {
        if (aiSystemId !== null) requireAiSystem(await tx.findAiSystem(organizationId, aiSystemId));
        const known = await tx.findEvidenceByKeys(
          organizationId,
          made.summaries.map(({ idempotencyKey }) => idempotencyKey),
        );
        const created = await appender.append(tx, organizationId, records);
        if (created.length > 0) {
          const target = { type: 'evaluation', id: runOf(evaluation) };
          const after = { aiSystemId, evidenceCreated: created.length };
          await audit.record(tx, context, 'evidence.imported', target, { after });
        }
        return {
          totalResultsProcessed: made.totalResultsProcessed,
          evidenceCreated: created.length,
          evidenceSkipped: records.length - created.length,
          obligationLinksCreated: created.reduce(
            (sum, { obligationIds }) => sum + obligationIds.length,
            0,
          ),
          evidenceIds: created.map(({ id }) => id),
          warnings: [...made.warnings, ...repetitionWarnings(known, records)],
        };
      });
    },
  };
}

/** Without `redactTexts`, evaluations stay as they are. */
function createRedaction(runtime: Runtime, redactTexts: RedactTexts | undefined) {
  if (!redactTexts) return async (evaluation: Evaluation) => evaluation;
  const box = requireSecretBox(runtime, 'evidence: redactTexts');
  return async (evaluation: Evaluation, organizationId: string) => {
    const [{ key } = { key: new Uint8Array() }] = box.deriveKeys(
      `evidence texts:${organizationId}`,
    );
    return replaceTexts(evaluation, (texts) => redactTexts(texts, { key }));
  };
}

/** What identifies the run in the audit log. */
function runOf({ time, contentDigest }: EvaluationImport['evaluation']): string {
  return time ?? contentDigest ?? '';
}

/** Obligations by the signals of a draft, which are few in an import of many records. */
const obligationsBySignals = new Map<string, readonly string[]>();

function obligationsOf({ signals }: EvidenceDraft): readonly string[] {
  const name = signals.join();
  const found = obligationsBySignals.get(name) ?? matchObligations(signals);
  obligationsBySignals.set(name, found);
  return found;
}

function toRecord(
  draft: EvidenceDraft,
  createdAt: Date,
): Omit<NewEvidence, 'id' | 'organizationId' | 'aiSystemId' | 'labels'> {
  const { idempotencyKey, evidenceType, title, content, metadata, occurredAt } = draft;
  return {
    ...{ idempotencyKey, evidenceType, title, content, createdAt, source: 'evaltool' },
    metadata: { ...metadata },
    obligationIds: obligationsOf(draft),
    occurredAt: occurredAt === null ? null : new Date(occurredAt),
  };
}

/** What of an import differs from records that an earlier one has created. */
function repetitionWarnings(known: readonly Evidence[], records: readonly NewEvidence[]): string[] {
  const byKey = new Map(records.map((record) => [record.idempotencyKey, record]));
  const warnings = new Set<string>();
  for (const before of known) {
    const record = byKey.get(before.idempotencyKey);
    if (!record) continue;
    if (!isDeepStrictEqual(before.metadata, record.metadata)) {
      warnings.add(
        `This run of ${providersOf(record)} was imported before with other results: its summary is left as it is.`,
      );
    }
    if (before.aiSystemId !== record.aiSystemId) {
      warnings.add('Records of an earlier import keep their AI system; change them one by one.');
    }
    if (!haveSameLabels(before.labels, record.labels)) {
      warnings.add('Records of an earlier import keep their labels; change them one by one.');
    }
  }
  return [...warnings];
}

function providersOf({ metadata }: NewEvidence): string {
  const labels = (metadata.providerLabels as string[]).map((label) => ` [${label}]`);
  return [...(metadata.providers as string[]), ...labels].join('');
}

function haveSameLabels(left: NewEvidence['labels'], right: NewEvidence['labels']): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
  );
}
