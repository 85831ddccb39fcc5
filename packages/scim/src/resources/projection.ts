import { attributesOf, findExtension, parsePath } from '../filters/path.ts';
import type { AttributePath } from '../filters/types.ts';
import type {
  AttributeDefinition,
  JsonObject,
  JsonValue,
  ResourceTypeDefinition,
} from '../schemas/types.ts';

/** The attributes that a request asks for (RFC 7644, section 3.9). */
export interface Projection {
  /** Names as sent; null when the request does not select attributes. */
  readonly attributes: readonly string[] | null;
  /** Names as sent. */
  readonly excludedAttributes: readonly string[];
  /** The projection's meaning for a resource type. */
  for(resourceType: ResourceTypeDefinition): Selection;
}

/** What a projection selects of a resource type. */
interface Selection {
  /** Null for the attributes that are returned by default. */
  readonly included: Names | null;
  readonly excluded: Names;
}

/**
 * Selected parts by key: the name of an attribute, after its extension's URN and a colon if it has one; or an
 * extension's URN. A part is selected as a whole (`all`) or by its sub-attributes.
 */
type Names = ReadonlyMap<string, 'all' | ReadonlySet<string>>;

/** Maximum number of names of each parameter that count; no resource has as many attributes. */
const MAX_NAMES = 1_000;

/**
 * Reads `attributes` and `excludedAttributes` of a query (comma-separated) or of a search request (arrays). Names
 * may have any letter case, an extension's URN stands for all of it, and unknown names are ignored. If both are
 * given, what is excluded is taken from what is included.
 */
export function parseAttributes(query: {
  readonly attributes?: string | readonly string[] | undefined;
  readonly excludedAttributes?: string | readonly string[] | undefined;
}): Projection {
  if (query.attributes === undefined && query.excludedAttributes === undefined) return BY_DEFAULT;
  const included = namesOf(query.attributes).map(withoutFilter);
  const attributes = included.length > 0 ? included : null;
  const excludedAttributes = namesOf(query.excludedAttributes);
  const selections = new Map<ResourceTypeDefinition, Selection>();
  return {
    attributes,
    excludedAttributes,
    for: (resourceType) => {
      const known = selections.get(resourceType);
      if (known) return known;
      const selection = {
        included: attributes && resolve(attributes, resourceType),
        excluded: resolve(excludedAttributes, resourceType),
      };
      selections.set(resourceType, selection);
      return selection;
    },
  };
}

/** The projection of requests that select nothing. */
const BY_DEFAULT: Projection = {
  attributes: null,
  excludedAttributes: [],
  for: () => NOTHING_SELECTED,
};

const NOTHING_SELECTED: Selection = { included: null, excluded: new Map() };

function namesOf(parameter: string | readonly string[] | undefined): readonly string[] {
  const names: string[] = [];
  for (const text of typeof parameter === 'string' ? [parameter] : (parameter ?? [])) {
    if (names.length === MAX_NAMES) break;
    names.push(...text.split(',', MAX_NAMES - names.length).map((name) => name.trim()));
  }
  return [...new Set(names.filter((name) => name !== ''))];
}

function resolve(names: readonly string[], resourceType: ResourceTypeDefinition): Names {
  const selected = new Map<string, 'all' | Set<string>>();
  for (const name of names) {
    const extension = findExtension(name, resourceType);
    if (extension !== null) selected.set(extension, 'all');
    else if (name.toLowerCase() === resourceType.schema.id.toLowerCase()) {
      for (const { name } of resourceType.schema.attributes) selected.set(name, 'all');
    } else {
      const path = parsePath(name, resourceType);
      if (path) select(selected, path);
    }
  }
  return selected;
}

/** A value path stands for its attribute, as Microsoft's collection asks for `emails[type eq "work"]`. */
function withoutFilter(name: string): string {
  const end = name.indexOf('[');
  return end < 0 ? name : name.slice(0, end);
}

function select(selected: Map<string, 'all' | Set<string>>, path: AttributePath): void {
  const key = keyOf(path.extension, path.attribute.name);
  const known = selected.get(key);
  if (!path.subAttribute) selected.set(key, 'all');
  else if (known === undefined) selected.set(key, new Set([path.subAttribute.name]));
  else if (known !== 'all') known.add(path.subAttribute.name);
}

function keyOf(extension: string | null, name: string): string {
  return extension === null ? name : `${extension}:${name}`;
}

/**
 * The part of a resource that is sent: attributes that are always returned, those selected, and by default all
 * that are not returned only on request. `schemas` stays as it is.
 * @param body the full resource in canonical form; it is not changed
 */
export function project(
  body: JsonObject,
  projection: Projection,
  resourceType: ResourceTypeDefinition,
): JsonObject {
  const selection = projection.for(resourceType);
  const projected = projectLevel(body, selection, resourceType, null);
  for (const { schema } of resourceType.extensions) {
    const extension = body[schema.id];
    if (!isObject(extension)) continue;
    const part = projectLevel(extension, selection, resourceType, schema.id);
    if (Object.keys(part).length > 0) projected[schema.id] = part;
  }
  return projected;
}

/** Whether an attribute of the resource type's own schema, or a part of it, is sent. */
export function isReturned(
  projection: Projection,
  resourceType: ResourceTypeDefinition,
  name: string,
): boolean {
  const attribute = attributesOf(resourceType, null).find((one) => one.name === name);
  return attribute ? partOf(projection.for(resourceType), null, attribute) !== null : false;
}

function projectLevel(
  container: JsonObject,
  selection: Selection,
  resourceType: ResourceTypeDefinition,
  extension: string | null,
): Record<string, JsonValue> {
  const projected: Record<string, JsonValue> = {};
  for (const attribute of attributesOf(resourceType, extension)) {
    const value = Object.hasOwn(container, attribute.name) ? container[attribute.name] : undefined;
    const part = value === undefined ? null : partOf(selection, extension, attribute);
    if (value === undefined || part === null) continue;
    const kept = part === 'all' ? value : projectValue(value, part);
    if (kept !== undefined) projected[attribute.name] = kept;
  }
  return projected;
}

/** The sub-attributes of an attribute that are sent, or all of it, or null. */
type Part = 'all' | ReadonlySet<string> | null;

function partOf(
  { included, excluded }: Selection,
  extension: string | null,
  attribute: AttributeDefinition,
): Part {
  if (attribute.returned === 'always') return 'all';
  if (attribute.returned === 'never') return null;
  const wanted = partIn(included, extension, attribute) ?? null;
  const part = included ? wanted : attribute.returned === 'default' ? 'all' : null;
  const unwanted = partIn(excluded, extension, attribute);
  if (part === null || unwanted === undefined) return part;
  if (unwanted === 'all') return null;
  const names =
    part === 'all' ? (attribute.subAttributes ?? []).map(({ name }) => name) : [...part];
  const rest = names.filter((name) => !unwanted.has(name));
  return rest.length > 0 ? new Set(rest) : null;
}

function partIn(
  names: Names | null,
  extension: string | null,
  { name }: AttributeDefinition,
): 'all' | ReadonlySet<string> | undefined {
  if (extension !== null && names?.get(extension) === 'all') return 'all';
  return names?.get(keyOf(extension, name));
}

/** The named sub-attributes of a value or of each of several; undefined when nothing is left of a single one. */
function projectValue(value: JsonValue, names: ReadonlySet<string>): JsonValue | undefined {
  if (Array.isArray(value)) {
    const elements = value.map((element) => projectValue(element, names));
    return elements.filter((element) => element !== undefined);
  }
  if (!isObject(value)) return undefined;
  const kept = Object.entries(value).filter(([name]) => names.has(name));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
