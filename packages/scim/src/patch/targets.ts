import { excerpt, scimError } from '../errors.ts';
import type { PatchPath } from '../filters/patch-path.ts';
import { parsePatchPath } from '../filters/patch-path.ts';
import { findExtension, parsePath } from '../filters/path.ts';
import type { ResourceTypeDefinition } from '../schemas/types.ts';

/**
 * What the path of an operation names; null for a path into an extension that the resource type does not have.
 * @throws ProbityError `invalidPath`, `invalidFilter`
 */
export function parseTarget(text: string, resourceType: ResourceTypeDefinition): PatchPath | null {
  return isForeign(text, resourceType) ? null : parsePatchPath(text, resourceType);
}

/**
 * What a name in a value without path names; null for what the resource type does not have.
 * @throws ProbityError `invalidPath`, `invalidFilter` for what begins like a known path and does not go on so
 */
export function parseNamedTarget(
  name: string,
  resourceType: ResourceTypeDefinition,
): PatchPath | null {
  if (isForeign(name, resourceType)) return null;
  const bracket = name.indexOf('[');
  if (bracket >= 0) {
    const isKnown = parsePath(name.slice(0, bracket), resourceType) !== null;
    return isKnown ? parsePatchPath(name, resourceType) : null;
  }
  const extension = findExtension(name, resourceType);
  if (extension !== null) return { path: { extension }, valueFilter: null, sub: null };
  const path = parsePath(name, resourceType);
  if (path) return { path, valueFilter: null, sub: path.subAttribute };
  const schema = knownSchema(name, resourceType);
  if (schema === undefined || name[schema.length] === ':') return null;
  throw scimError('invalidPath', `${excerpt(name)} must have a colon after the schema`);
}

/** Whether a path begins with the URN of a schema that the resource type does not have. */
function isForeign(text: string, resourceType: ResourceTypeDefinition): boolean {
  return /^urn:/i.test(text) && knownSchema(text, resourceType) === undefined;
}

/** The URN of the resource type's schema that a path begins with. */
function knownSchema(
  text: string,
  { schema, extensions }: ResourceTypeDefinition,
): string | undefined {
  const urns = [schema.id, ...extensions.map((extension) => extension.schema.id)];
  return urns.find((urn) => text.slice(0, urn.length).toLowerCase() === urn.toLowerCase());
}
