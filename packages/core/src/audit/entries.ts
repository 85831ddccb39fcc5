import type { CallContext } from '../context.ts';
import { maskSecrets } from './masking.ts';
import type { AuditFields, AuditTarget, NewAuditEntry } from './types.ts';

/** What a service says of a change; the context says the rest. */
export interface AuditedChange {
  readonly id: string;
  readonly action: string;
  readonly target: AuditTarget;
  readonly before?: AuditFields | null;
  readonly after?: AuditFields | null;
  readonly createdAt: Date;
}

/** The entry for a change that a service call makes; secrets are masked. */
export function auditOf(context: CallContext, change: AuditedChange): NewAuditEntry {
  const { principal, address, requestId } = context;
  return {
    ...change,
    organizationId: principal.organizationId,
    actor: { type: 'member', id: principal.memberId, credentialId: principal.keyId },
    before: maskSecrets(change.before ?? null),
    after: maskSecrets(change.after ?? null),
    address,
    requestId,
  };
}

/** The entry for a change that the program makes by itself, such as `bootstrap`. */
export function systemAuditOf(
  name: string,
  organizationId: string,
  change: AuditedChange,
): NewAuditEntry {
  return {
    ...change,
    organizationId,
    actor: { type: 'system', id: name, credentialId: null },
    before: maskSecrets(change.before ?? null),
    after: maskSecrets(change.after ?? null),
    address: null,
    requestId: null,
  };
}

/** The members of `after` that differ from `before`, on both sides; what an update changed. */
export function changedFields(
  before: AuditFields,
  after: AuditFields,
): { before: AuditFields; after: AuditFields } {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (fields: AuditFields) =>
    Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
