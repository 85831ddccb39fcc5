import type { AuditFields, CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import { changedFields, validate } from '@probity/core/internal';
import { requireAiSystem } from '../ai-systems/ai-systems.ts';
import type { EvidenceStorage } from '../storage.ts';
import { createEvidenceAppender } from './append.ts';
import { evidenceChanges } from './input.ts';
import type { Evidence, EvidenceChanges, EvidenceFilter } from './types.ts';

/** Evidence records of the caller's organization. */
export interface EvidenceRecords {
  /** The records that match `filter`, newest first. */
  list(context: CallContext, filter: EvidenceFilter, page: Page): Promise<PageOf<Evidence>>;
  /** @throws ProbityError `not_found` when the organization has no record with this id */
  get(context: CallContext, id: string): Promise<Evidence>;
  /**
   * Links a record to another AI system or gives it other labels, which is appended to the chain. What
   * it says and the obligations that it supports never change.
   * @throws ProbityError `not_found`, also for the AI system; `validation_failed` with every bad field
   */
  update(context: CallContext, id: string, changes: EvidenceChanges): Promise<Evidence>;
}

/** Options of {@link createEvidenceRecords}. */
export interface EvidenceRecordOptions {
  readonly storage: EvidenceStorage;
}

/** Creates the service for evidence records. */
export function createEvidenceRecords(
  runtime: Runtime,
  { storage }: EvidenceRecordOptions,
): EvidenceRecords {
  const { audit } = runtime;
  const appender = createEvidenceAppender(runtime);
  return {
    list: ({ principal }, filter, page) =>
      storage.listEvidence(principal.organizationId, filter, page),
    async get({ principal }, id) {
      return requireRecord(await storage.findEvidence(principal.organizationId, id));
    },

    async update(context, id, input) {
      const changes = validate(evidenceChanges, input, 'changes');
      const { organizationId } = context.principal;
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireRecord(await tx.findEvidence(organizationId, id));
        const { aiSystemId = before.aiSystemId, labels = before.labels } = changes;
        const links = { aiSystemId, labels: sortedByName(labels) };
        const change = changedFields(linksOf(before), links);
        if (Object.keys(change.after).length === 0) return before;
        if (aiSystemId !== null && aiSystemId !== before.aiSystemId) {
          requireAiSystem(await tx.findAiSystem(organizationId, aiSystemId));
        }
        const after = await appender.amend(tx, before, links);
        await audit.record(tx, context, 'evidence.updated', { type: 'evidence', id }, change);
        return after;
      });
    },
  };
}

/** What of a record may change, as the audit log has it. */
function linksOf({ aiSystemId, labels }: Evidence): AuditFields {
  return { aiSystemId, labels: sortedByName(labels) };
}

/** Labels in one order, so that another order of the same ones is no change. */
function sortedByName(labels: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(pairs);
}

function requireRecord(record: Evidence | null): Evidence {
  if (!record) throw notFound('evidence record');
  return record;
}
