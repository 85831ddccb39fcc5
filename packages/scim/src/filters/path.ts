import { COMMON_ATTRIBUTES } from '../schemas/common.ts';
import type { AttributeDefinition, ResourceTypeDefinition } from '../schemas/types.ts';
import type { AttributePath } from './types.ts';

const NAME = /^[a-z$][\w$-]*$/i;

/**
 * Parses the path of an attribute: `name.familyName`, `emails`, `urn:...:User:userName`,
 * `urn:...:enterprise:2.0:User:manager.displayName`, in any letter case (RFC 7644, section 3.10). Returns null when
 * the resource type has no such attribute.
 */
export function parsePath(
  text: string,
  resourceType: ResourceTypeDefinition,
): AttributePath | null {
  const { extension, rest } = splitUrn(text, resourceType);
  const [name = '', subName, ...more] = rest.split('.', 3);
  if (more.length > 0) return null;
  const attribute = findAttribute(attributesOf(resourceType, extension), name);
  if (!attribute) return null;
  if (subName === undefined) return { extension, attribute, subAttribute: null };
  const subAttribute = findAttribute(attribute.subAttributes ?? [], subName);
  return subAttribute ? { extension, attribute, subAttribute } : null;
}

/** The extension of this URN, in any letter case; null when the resource type has none. */
export function findExtension(text: string, resourceType: ResourceTypeDefinition): string | null {
  const urn = text.toLowerCase();
  const found = resourceType.extensions.find(({ schema }) => schema.id.toLowerCase() === urn);
  return found?.schema.id ?? null;
}

/** The attribute of this name, in any letter case. */
export function findAttribute(
  attributes: readonly AttributeDefinition[],
  name: string,
): AttributeDefinition | undefined {
  if (!NAME.test(name)) return undefined;
  let byName = namesOf.get(attributes);
  if (!byName) {
    byName = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
    namesOf.set(attributes, byName);
  }
  return byName.get(name.toLowerCase());
}

/** The attributes of each list of definitions, which are constants, by their names in small letters. */
const namesOf = new WeakMap<
  readonly AttributeDefinition[],
  ReadonlyMap<string, AttributeDefinition>
>();

/** The attributes that a resource has at its top or, with an extension's URN, below that. */
export function attributesOf(
  resourceType: ResourceTypeDefinition,
  extension: string | null,
): readonly AttributeDefinition[] {
  if (extension === null) {
    let own = ownAttributes.get(resourceType);
    if (!own) {
      own = [...resourceType.schema.attributes, ...COMMON_ATTRIBUTES];
      ownAttributes.set(resourceType, own);
    }
    return own;
  }
  const found = resourceType.extensions.find(({ schema }) => schema.id === extension);
  return found?.schema.attributes ?? [];
}

const ownAttributes = new WeakMap<ResourceTypeDefinition, readonly AttributeDefinition[]>();

/** An attribute's path as text that `parsePath` takes. */
export function printPath({ extension, attribute, subAttribute }: AttributePath): string {
  const prefix = extension === null ? '' : `${extension}:`;
  return prefix + attribute.name + (subAttribute ? `.${subAttribute.name}` : '');
}

/**
 * The definition of the values that a path compares: a complex attribute's own are those of its `value`. Null for a
 * complex attribute that has none, such as `name`.
 */
export function comparedAttribute(path: AttributePath): AttributeDefinition | null {
  const { attribute, subAttribute } = path;
  if (subAttribute) return subAttribute;
  if (attribute.type !== 'complex') return attribute;
  return findAttribute(attribute.subAttributes ?? [], 'value') ?? null;
}

function splitUrn(
  text: string,
  resourceType: ResourceTypeDefinition,
): { extension: string | null; rest: string } {
  const own = afterUrn(text, resourceType.schema.id);
  if (own !== null) return { extension: null, rest: own };
  for (const { schema } of resourceType.extensions) {
    const rest = afterUrn(text, schema.id);
    if (rest !== null) return { extension: schema.id, rest };
  }
  return { extension: null, rest: text };
}

function afterUrn(text: string, urn: string): string | null {
  if (text[urn.length] !== ':') return null;
  const matches = text.slice(0, urn.length).toLowerCase() === urn.toLowerCase();
  return matches ? text.slice(urn.length + 1) : null;
}
