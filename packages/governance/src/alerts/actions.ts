import type { AuditFields, CallContext, Runtime } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { requireContext, validate } from '@probity/core/internal';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import {
  acknowledgmentsBody,
  assignmentBody,
  assignmentsBody,
  commentBody,
  resolutionBody,
  resolutionsBody,
} from './input.ts';
import type { AlertMembers } from './members.ts';
import { requireAssignable } from './members.ts';
import type { Alert, AlertAction, AlertActionKind, AlertChanges } from './types.ts';

/**
 * What members do with alerts. Each is recorded in the history of the alert and in the audit log, which has no texts.
 * Those on several alerts change what can be changed, in one transaction, and say what became of each id.
 */
export interface AlertActions {
  /**
   * Resolves an alert, which emits `alert.resolved`; of several concurrent calls exactly one does.
   * @throws ProbityError `not_found`; `conflict` when it is resolved already; `validation_failed`
   */
  resolve(context: CallContext, id: string, input: { resolution: string }): Promise<Alert>;
  /** Resolves up to 500 alerts. @throws ProbityError `validation_failed` */
  resolveAll(
    context: CallContext,
    input: { ids: readonly string[]; resolution: string },
  ): Promise<AlertChanges>;
  /**
   * Notes that the caller has seen an alert; a later call changes nothing.
   * @throws ProbityError `not_found`; `conflict` when it is resolved already
   */
  acknowledge(context: CallContext, id: string): Promise<Alert>;
  /** Acknowledges up to 500 alerts. @throws ProbityError `validation_failed` */
  acknowledgeAll(context: CallContext, input: { ids: readonly string[] }): Promise<AlertChanges>;
  /**
   * Assigns an alert to a member, or to nobody.
   * @throws ProbityError `not_found`; `conflict` when it is resolved already; `validation_failed` naming `memberId`
   *   when there is no such active member
   */
  assign(context: CallContext, id: string, input: { memberId: string | null }): Promise<Alert>;
  /** Assigns up to 500 alerts. @throws ProbityError `validation_failed` */
  assignAll(
    context: CallContext,
    input: { ids: readonly string[]; memberId: string | null },
  ): Promise<AlertChanges>;
  /** Comments on an alert, open or resolved. @throws ProbityError `not_found`, `validation_failed` */
  comment(context: CallContext, id: string, input: { text: string }): Promise<AlertAction>;
}

/** Dependencies of the actions beside a runtime. */
export interface AlertActionOptions {
  readonly storage: GovernanceStorage;
  /** Who can be given an alert; default anyone. */
  readonly members?: AlertMembers | undefined;
}

/** One way to change alerts. */
interface Change {
  readonly action: AlertActionKind;
  /** `alert.resolved` in the audit log, `alerts.resolved` for several. */
  readonly verb: string;
  /** The fields of the audit log; no free text, which may be personal data. */
  readonly after: AuditFields;
  /** What the history has besides. */
  readonly noted: Partial<Pick<AlertAction, 'text' | 'assigneeId'>>;
  /** Changes those of the alerts that can be changed. */
  apply(tx: GovernanceTransaction, ids: readonly string[], at: Date): Promise<Alert[]>;
}

/** Creates the actions. */
export function createAlertActions(runtime: Runtime, options: AlertActionOptions): AlertActions {
  const { storage, members } = options;
  const one = (context: CallContext, id: string, change: Change) =>
    changeOne(runtime, storage, context, id, change);
  const several = (context: CallContext, ids: readonly string[], change: Change) =>
    changeSeveral(runtime, storage, context, ids, change);
  const resolution = (context: CallContext, text: string) => toResolution(runtime, context, text);
  return {
    resolve(context, id, input) {
      requireContext('resolveAlert', context);
      const given = validate(resolutionBody, input, 'input');
      return one(context, id, resolution(context, given.resolution));
    },
    resolveAll(context, input) {
      requireContext('resolveAlerts', context);
      const given = validate(resolutionsBody, input, 'input');
      return several(context, given.ids, resolution(context, given.resolution));
    },
    acknowledge(context, id) {
      requireContext('acknowledgeAlert', context);
      return one(context, id, toAcknowledgment(context));
    },
    acknowledgeAll(context, input) {
      requireContext('acknowledgeAlerts', context);
      const { ids } = validate(acknowledgmentsBody, input, 'input');
      return several(context, ids, toAcknowledgment(context));
    },
    async assign(context, id, input) {
      requireContext('assignAlert', context);
      const { memberId } = validate(assignmentBody, input, 'input');
      await requireAssignable(members, context.principal.organizationId, memberId);
      return one(context, id, toAssignment(context, memberId));
    },
    async assignAll(context, input) {
      requireContext('assignAlerts', context);
      const { ids, memberId } = validate(assignmentsBody, input, 'input');
      await requireAssignable(members, context.principal.organizationId, memberId);
      return several(context, ids, toAssignment(context, memberId));
    },
    comment: (context, id, input) => comment(runtime, storage, context, id, input),
  };
}

function toResolution({ emit }: Runtime, context: CallContext, resolution: string): Change {
  const { organizationId, memberId } = context.principal;
  return {
    ...{ action: 'resolved', verb: 'resolved', after: { status: 'resolved' } },
    noted: { text: resolution },
    async apply(tx, ids, at) {
      const resolved = await tx.resolveAlerts(organizationId, ids, { memberId, at, resolution });
      for (const { id: alertId } of byId(resolved)) {
        await emit(tx, context, 'alert.resolved', { alertId, resolution, resolvedBy: memberId });
      }
      return resolved;
    },
  };
}

function toAcknowledgment({ principal: { organizationId, memberId } }: CallContext): Change {
  return {
    ...{ action: 'acknowledged', verb: 'acknowledged', noted: {} },
    after: { acknowledgedBy: memberId },
    apply: (tx, ids, at) => tx.acknowledgeAlerts(organizationId, ids, { memberId, at }),
  };
}

function toAssignment({ principal }: CallContext, assigneeId: string | null): Change {
  return {
    ...{ action: assigneeId === null ? 'unassigned' : 'assigned', verb: 'assigned' },
    after: { assigneeId },
    noted: { assigneeId },
    apply: (tx, ids) => tx.assignAlerts(principal.organizationId, ids, assigneeId),
  };
}

async function changeOne(
  runtime: Runtime,
  storage: GovernanceStorage,
  context: CallContext,
  id: string,
  change: Change,
): Promise<Alert> {
  const { organizationId } = context.principal;
  return storage.transaction(context, async (tx) => {
    const [changed] = await applyChange(runtime, tx, context, [id], change);
    if (changed) {
      const target = { type: 'alert', id };
      await runtime.audit.record(tx, context, `alert.${change.verb}`, target, {
        after: change.after,
      });
      return changed;
    }
    const alert = await tx.findAlert(organizationId, id);
    if (!alert) throw notFound('alert');
    if (alert.status === 'resolved') throw isResolved();
    return alert;
  });
}

async function changeSeveral(
  runtime: Runtime,
  storage: GovernanceStorage,
  context: CallContext,
  given: readonly string[],
  change: Change,
): Promise<AlertChanges> {
  const { organizationId } = context.principal;
  const ids = [...new Set(given)];
  return storage.transaction(context, async (tx) => {
    const changed = await applyChange(runtime, tx, context, ids, change);
    const changedById = new Map(changed.map((alert) => [alert.id, alert]));
    const others = ids.filter((id) => !changedById.has(id));
    const found = await tx.findAlerts(organizationId, others);
    const statusOf = new Map(found.map(({ id, status }) => [id, status]));
    if (changed.length > 0) {
      const target = { type: 'organization', id: organizationId };
      await runtime.audit.record(tx, context, `alerts.${change.verb}`, target, {
        after: { ...change.after, ids: [...changedById.keys()].sort() },
      });
    }
    return {
      changed: ids.flatMap((id) => changedById.get(id) ?? []),
      unchanged: others.filter((id) => statusOf.get(id) === 'open'),
      alreadyResolved: others.filter((id) => statusOf.get(id) === 'resolved'),
      unknown: others.filter((id) => !statusOf.has(id)),
    };
  });
}

/** Changes the alerts with their history; returns those that were changed. */
async function applyChange(
  { clock, ids: { next } }: Runtime,
  tx: GovernanceTransaction,
  { principal }: CallContext,
  ids: readonly string[],
  { action, noted, apply }: Change,
): Promise<Alert[]> {
  const at = clock.now();
  const changed = await apply(tx, ids, at);
  await tx.insertAlertActions(
    byId(changed).map(({ id: alertId, organizationId }) => ({
      ...{ id: next('act'), organizationId, alertId, action, memberId: principal.memberId },
      ...{ text: null, assigneeId: null, ...noted, createdAt: at },
    })),
  );
  return changed;
}

async function comment(
  { audit, clock, ids }: Runtime,
  storage: GovernanceStorage,
  context: CallContext,
  alertId: string,
  input: { text: string },
): Promise<AlertAction> {
  requireContext('commentAlert', context);
  const { text } = validate(commentBody, input, 'input');
  const { organizationId, memberId } = context.principal;
  return storage.transaction(context, async (tx) => {
    if (!(await tx.findAlert(organizationId, alertId))) throw notFound('alert');
    const action: AlertAction = {
      ...{ id: ids.next('act'), organizationId, alertId, action: 'commented', memberId, text },
      ...{ assigneeId: null, createdAt: clock.now() },
    };
    await tx.insertAlertActions([action]);
    const after = { commentId: action.id };
    await audit.record(tx, context, 'alert.commented', { type: 'alert', id: alertId }, { after });
    return action;
  });
}

function byId(alerts: readonly Alert[]): Alert[] {
  return [...alerts].sort((left, right) => (left.id < right.id ? -1 : 1));
}

function isResolved(): ProbityError {
  return new ProbityError('conflict', 'The alert is resolved already; it stays as it is.');
}
