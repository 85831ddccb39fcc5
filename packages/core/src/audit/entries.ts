import type { AuditFields } from './types.ts';

/** The members of `after` that differ from `before`, with both values; the diff of an update. */
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
