import type { AuditFields, CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { changedFields, createUuid, validate } from '@probity/core/internal';
import type { EvidenceStorage } from '../storage.ts';
import { aiSystemChanges, newAiSystem } from './input.ts';
import type { AiSystem, AiSystemChanges, NewAiSystem } from './types.ts';

/** AI systems of the caller's organization. */
export interface AiSystems {
  /** @throws ProbityError `validation_failed` with every bad field */
  create(context: CallContext, input: NewAiSystem): Promise<AiSystem>;
  /** Oldest first. */
  list(context: CallContext, page: Page): Promise<PageOf<AiSystem>>;
  /** @throws ProbityError `not_found` when the organization has no AI system with this id */
  get(context: CallContext, id: string): Promise<AiSystem>;
  /**
   * Changes the given members and returns the updated AI system.
   * @throws ProbityError `not_found`, or `validation_failed` with every bad field
   */
  update(context: CallContext, id: string, changes: AiSystemChanges): Promise<AiSystem>;
  /**
   * Deletes an AI system that no record refers to: a record keeps the AI system that it is about.
   * @throws ProbityError `not_found`, or `conflict` while a record refers to it
   */
  remove(context: CallContext, id: string): Promise<void>;
}

/** Options of {@link createAiSystems}. */
export interface AiSystemOptions {
  readonly storage: EvidenceStorage;
}

/** Creates the service for AI systems. */
export function createAiSystems(
  { audit, clock, random, tenants }: Runtime,
  { storage }: AiSystemOptions,
): AiSystems {
  return {
    list: ({ principal }, page) => storage.listAiSystems(principal.organizationId, page),
    async get({ principal }, id) {
      return requireAiSystem(await storage.findAiSystem(principal.organizationId, id));
    },

    async create(context, input) {
      const {
        name,
        description = null,
        riskClass = null,
        owner = null,
      } = validate(newAiSystem, input, 'input');
      const { organizationId } = context.principal;
      const now = clock.now();
      const aiSystem: AiSystem = {
        ...{ id: createUuid({ clock, random }), organizationId },
        ...{ name, description, riskClass, owner, createdAt: now, updatedAt: now },
      };
      await tenants?.ensure(organizationId, context);
      await storage.transaction(context, async (tx) => {
        await tx.insertAiSystem(aiSystem);
        const after = auditFieldsOf(aiSystem);
        await audit.record(tx, context, 'ai_system.created', targetOf(aiSystem.id), { after });
      });
      return aiSystem;
    },

    async update(context, id, input) {
      const changes = validate(aiSystemChanges, input, 'changes');
      const { organizationId } = context.principal;
      // Under the lock no other update comes between the read and the write, so that the audit entry has the
      // true previous fields.
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireAiSystem(await tx.findAiSystem(organizationId, id));
        const change = changedFields(
          auditFieldsOf(before),
          auditFieldsOf({ ...before, ...withoutAbsent(changes) }),
        );
        if (Object.keys(change.after).length === 0) return before;
        const given = { ...changes, updatedAt: clock.now() };
        const after = requireAiSystem(await tx.updateAiSystem(organizationId, id, given));
        await audit.record(tx, context, 'ai_system.updated', targetOf(id), change);
        return after;
      });
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const aiSystem = requireAiSystem(await tx.findAiSystem(organizationId, id));
        if (await tx.hasEvidenceOf(organizationId, id)) throw inUse();
        await tx.deleteAiSystem(organizationId, id);
        const before = auditFieldsOf(aiSystem);
        await audit.record(tx, context, 'ai_system.deleted', targetOf(id), { before });
      });
    },
  };
}

/** @throws ProbityError `not_found` for null */
export function requireAiSystem(aiSystem: AiSystem | null): AiSystem {
  if (!aiSystem) throw notFound('AI system');
  return aiSystem;
}

function inUse(): ProbityError {
  return new ProbityError(
    'conflict',
    'Evidence refers to this AI system: link the records to another one, or to none, and delete it then.',
  );
}

function withoutAbsent(changes: AiSystemChanges): Partial<AiSystem> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Fields of an AI system that the audit log records. */
function auditFieldsOf({ name, description, riskClass, owner }: AiSystem): AuditFields {
  return { name, description, riskClass, owner };
}

function targetOf(id: string) {
  return { type: 'ai_system', id };
}
