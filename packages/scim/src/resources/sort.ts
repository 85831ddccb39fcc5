import { compareValues } from '../filters/compare-values.ts';
import { elementsOf } from '../filters/matches.ts';
import { comparedAttribute } from '../filters/path.ts';
import type { AttributePath } from '../filters/types.ts';
import type { JsonObject, JsonValue } from '../schemas/types.ts';

/**
 * Compares resources by an attribute (RFC 7644, section 3.4.2.3): of several values the primary one counts, else the
 * first; resources without a value are last in ascending order and first in descending. 0 for equal values, so
 * that a stable sort keeps the order of creation among them.
 */
export function compareBy(
  path: AttributePath,
  order: 'ascending' | 'descending',
): (left: JsonObject, right: JsonObject) => number {
  const definition = comparedAttribute(path);
  const sign = order === 'ascending' ? 1 : -1;
  if (!definition) return () => 0;
  return (left, right) => {
    const [first, second] = [sortValue(left, path), sortValue(right, path)];
    if (first === null || second === null) {
      return sign * (Number(first === null) - Number(second === null));
    }
    return sign * compareValues(definition, first, second);
  };
}

/** The value of a resource that sorts it; null when it has none. */
function sortValue(body: JsonObject, path: AttributePath): JsonValue {
  const elements = elementsOf(body, path);
  if (path.attribute.type !== 'complex') return elements[0] ?? null;
  const objects = elements as readonly JsonObject[];
  const chosen = objects.find((element) => element.primary === true) ?? objects[0];
  return chosen?.[path.subAttribute?.name ?? 'value'] ?? null;
}
