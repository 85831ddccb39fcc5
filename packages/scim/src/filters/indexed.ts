import type { Fragment } from './fragment.ts';
import { fragment, joinConditions, rawFragment } from './fragment.ts';
import { comparedAttribute, printPath } from './path.ts';
import type { SearchTable } from './search-table.ts';
import { comparedTexts, isStorable } from './sql.ts';
import type { AttributePath, CompareValue, Filter } from './types.ts';

/** Rows that an index finds. */
interface Candidates {
  /** A condition on the row `r`. */
  readonly condition: Fragment;
  /** Whether there is at most one. */
  readonly isUnique: boolean;
}

const NONE: Candidates = { condition: rawFragment('false'), isUnique: false };

/**
 * The rows that may match a filter, as the database finds them through an index; null when no index narrows them down.
 */
export function indexedCandidates(
  filter: Filter,
  table: SearchTable,
  organizationId: string,
): Candidates | null {
  return find(filter);

  function find(part: Filter): Candidates | null {
    switch (part.kind) {
      case 'and':
        return findOne(part.filters);
      case 'or':
        return findAll(part.filters);
      case 'valuePath':
        return find(part.filter);
      case 'not':
        return matchesNothing(part) ? NONE : null;
      case 'compare':
        return part.operator === 'eq' ? equality(part.path, part.value) : null;
      default:
        return null;
    }
  }

  function findOne(filters: readonly Filter[]): Candidates | null {
    for (const each of filters) {
      const found = find(each);
      if (found) return found;
    }
    return null;
  }

  /** Their rows are united by id, for which every planner uses the indexes. */
  function findAll(filters: readonly Filter[]): Candidates | null {
    const selections: Fragment[] = [];
    for (const each of filters) {
      const found = find(each);
      if (!found) return null;
      if (found === NONE) continue;
      selections.push(
        fragment`select r.id from ${rawFragment(table.name)} as r
          where (r.organization_id || '') = ${organizationId} and ${found.condition}`,
      );
    }
    if (selections.length === 0) return NONE;
    const condition = fragment`r.id in (${joinConditions(selections, 'union')})`;
    return { condition, isUnique: false };
  }

  function equality(path: AttributePath, value: CompareValue): Candidates | null {
    const definition = comparedAttribute(path);
    if (!definition || typeof value !== 'string') return null;
    const isValue = path.subAttribute?.name === 'value';
    const index = table.indexes[printPath(isValue ? { ...path, subAttribute: null } : path)];
    const expected = comparedTexts(definition, 'eq', value);
    if (!index || !expected.every(isStorable)) return null;
    return { condition: index.find(expected, organizationId), isUnique: index.isUnique };
  }
}

/** The filter of a search over several resource types where a term names an attribute of others. */
function matchesNothing({ filter }: Extract<Filter, { kind: 'not' }>): boolean {
  return filter.kind === 'present' && printPath(filter.path) === 'id';
}
