import type { FieldError, ProbityError } from '@probity/core';
import type { ScimType } from '../errors.ts';
import { scimError } from '../errors.ts';
import type { ResourceTypeName } from '../schemas/types.ts';

/** Number of faults that an error names. */
const NAMED_FAULTS = 5;

/** Collects what is wrong with the attributes of a resource, so that one error names all of it. */
export interface Faults {
  add(field: string, message: string): void;
  /** @throws ProbityError with this `scimType` when there are faults */
  check(scimType?: ScimType): void;
}

/** Creates an empty collection. */
export function createFaults(resourceType: ResourceTypeName): Faults {
  const found: FieldError[] = [];
  return {
    add(field, message) {
      found.push({ field, message });
    },
    check(scimType = 'invalidValue') {
      if (found.length > 0) throw invalidAttributes(resourceType, scimType, found);
    },
  };
}

/** The error whose detail begins with the specification's wording and goes on to name the attributes. */
function invalidAttributes(
  resourceType: ResourceTypeName,
  scimType: ScimType,
  faults: readonly FieldError[],
): ProbityError {
  const named = faults.slice(0, NAMED_FAULTS).map(({ field, message }) => `${field} ${message}`);
  const rest = faults.length - named.length;
  const more = rest > 0 ? `; and ${rest} more` : '';
  const detail = `invalid ${resourceType.toLowerCase()} attributes: ${named.join('; ')}${more}`;
  return scimError(scimType, detail);
}
