import { excerpt, scimError } from '../errors.ts';
import type { ResourceTypeDefinition } from '../schemas/types.ts';
import type { FilterLimits } from './parse.ts';
import { FILTER_LIMITS, parseWith } from './parse.ts';
import { attributesOf, parsePath } from './path.ts';
import type { AttributePath, Filter } from './types.ts';

/**
 * Parses the filter of a search over several resource types for one of them. Attributes that only others have are
 * unassigned in it (RFC 7644, section 3.4.2.1): `userName eq "a" or displayName eq "b"` finds users and groups.
 * @param resourceTypes every type that is searched
 * @throws ProbityError `invalidFilter`, also for attributes that none of the types has
 */
export function parseFilterAcross(
  text: string,
  resourceType: ResourceTypeDefinition,
  resourceTypes: readonly ResourceTypeDefinition[],
  limits: FilterLimits = FILTER_LIMITS,
): Filter {
  const filter = parseWith(text, limits, (name) => {
    for (const type of [resourceType, ...resourceTypes]) {
      const path = parsePath(name, type);
      if (path) return path;
    }
    throw scimError('invalidFilter', `No resource type has an attribute ${excerpt(name)}`);
  });
  const everything: Filter = { kind: 'present', path: commonPath(resourceType) };
  const nothing: Filter = { kind: 'not', filter: everything };
  return withoutForeign(filter, (part) => {
    if (isOf(resourceType, part.path)) return part;
    return matchesUnassigned(part) ? everything : nothing;
  });
}

/** An attribute that every resource has. */
function commonPath(resourceType: ResourceTypeDefinition): AttributePath {
  return parsePath('id', resourceType) as AttributePath;
}

type Term = Extract<Filter, { readonly path: AttributePath }>;

function withoutForeign(filter: Filter, replace: (term: Term) => Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((part) => withoutForeign(part, replace)) };
    case 'not':
      return { ...filter, filter: withoutForeign(filter.filter, replace) };
    default:
      return replace(filter);
  }
}

function isOf(
  resourceType: ResourceTypeDefinition,
  { extension, attribute }: AttributePath,
): boolean {
  return attributesOf(resourceType, extension).includes(attribute);
}

/** Only `eq null` and comparisons by `ne` with another value match where there is no value. */
function matchesUnassigned(term: Term): boolean {
  if (term.kind !== 'compare') return false;
  return term.operator === (term.value === null ? 'eq' : 'ne');
}
