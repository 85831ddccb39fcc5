import { scimError } from '../errors.ts';
import { compileValueFilter } from '../filters/matches.ts';
import type { Filter } from '../filters/types.ts';
import type { Faults } from '../resources/faults.ts';
import { isObject } from '../resources/json.ts';
import { readMemberIds } from '../resources/member-ids.ts';
import type { GroupMember } from '../resources/types.ts';
import { QUIRKS } from './quirks.ts';
import type { AttributeRequest } from './requests.ts';
import type { MemberChange, PatchOperation } from './types.ts';

/** Checks a request on `members` of a group. */
export function toMemberOperations(
  request: AttributeRequest,
  faults: Faults,
): readonly PatchOperation[] {
  const change = toChange(request, faults);
  return change ? [{ kind: 'members', change }] : [];
}

function toChange(request: AttributeRequest, faults: Faults): MemberChange | null {
  const { op, field, target, value } = request;
  if (target.sub) throw unchangeable();
  if (target.valueFilter) return toFilteredChange(request, target.valueFilter);
  if (op === 'remove' && QUIRKS.removalByValue.read(value) === 'all') return { kind: 'clear' };
  const ids = readMemberIds(value ?? null, `members (${field})`, faults);
  if (op === 'replace') return ids.length === 0 ? { kind: 'clear' } : { kind: 'replace', ids };
  return ids.length === 0 ? null : { kind: op, ids };
}

function toFilteredChange({ op, value }: AttributeRequest, filter: Filter): MemberChange {
  if (op === 'remove') {
    const ids = idsOf(filter);
    return ids ? { kind: 'remove', ids } : { kind: 'removeMatching', filter };
  }
  const id = QUIRKS.valuePathCreates.read(filter)?.value;
  const other = isObject(value) ? (value.value ?? id) : value;
  if (typeof id === 'string' && (other === id || QUIRKS.emptyText.read(other))) {
    return { kind: 'add', ids: [id] };
  }
  throw unchangeable();
}

/** The ids that a filter names one by one; null when it selects members by anything else. */
function idsOf(filter: Filter): readonly string[] | null {
  if (filter.kind === 'or') {
    const parts = filter.filters.map(idsOf);
    return parts.every((part) => part !== null) ? [...new Set(parts.flat())] : null;
  }
  const isId =
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    (filter.path.subAttribute?.name ?? 'value') === 'value';
  return isId && typeof filter.value === 'string' ? [filter.value] : null;
}

function unchangeable(): Error {
  return scimError('mutability', 'members are added and removed; one cannot be changed');
}

/** The ids of the members that the filter of a change `removeMatching` selects. */
export function selectMembers(filter: Filter, members: readonly GroupMember[]): readonly string[] {
  const selects = compileValueFilter(filter);
  return members
    .filter(({ id, display, type }) => selects({ value: id, display, type }))
    .map(({ id }) => id);
}
