import { excerpt, scimError } from '../errors.ts';
import type { PatchPath } from '../filters/patch-path.ts';
import { parsePatchPath } from '../filters/patch-path.ts';
import { attributesOf, findExtension, parsePath } from '../filters/path.ts';
import type { ResourceTypeDefinition } from '../schemas/types.ts';
import { QUIRKS } from './quirks.ts';

/** Length of all different paths of a request, in UTF-16 code units, which bounds the time of their parsing. */
const MAX_PATHS_LENGTH = 32_768;

/** Number of all different paths of a request. */
const MAX_PATHS = 500;

/** Looks up what the operations of one PATCH name; a path that several name is parsed once. */
export interface TargetParser {
  /**
   * What the path of an operation names; null for a path into an extension that the resource type does not have.
   * @throws ProbityError `invalidPath`, `invalidFilter`
   */
  ofPath(text: string): PatchPath | null;
  /**
   * What a name in a value without path names; null for what the resource type does not have.
   * @throws ProbityError `invalidPath`, `invalidFilter` for what begins like a known path and does not go on so
   */
  ofName(name: string): PatchPath | null;
}

/** Creates the parser of one request. */
export function createTargetParser(resourceType: ResourceTypeDefinition): TargetParser {
  const attributes = attributesOf(resourceType, null);
  const names = new Set(attributes.map(({ name }) => name.toLowerCase()));
  const known = new Map<string, PatchPath | null>();
  let left = MAX_PATHS_LENGTH;

  function parse(text: string, parser: () => PatchPath | null): PatchPath | null {
    const before = known.get(text);
    if (before !== undefined) return before;
    left -= text.length;
    if (left < 0) throw scimError('invalidPath', 'The paths of the operations are too long');
    if (known.size >= MAX_PATHS) {
      throw scimError('invalidPath', `The operations have more than ${MAX_PATHS} different paths`);
    }
    const target = parser();
    known.set(text, target);
    return target;
  }

  return {
    ofPath(text) {
      const decision = QUIRKS.unservedExtensions.read(!isForeign(text, resourceType));
      return decision === 'ignore' ? null : parse(text, () => parsePatchPath(text, resourceType));
    },

    ofName(name) {
      const [first = ''] = name.split(/[.[:]/, 1);
      const isUrn = first.toLowerCase() === 'urn';
      const isServed = isUrn ? !isForeign(name, resourceType) : names.has(first.toLowerCase());
      if (QUIRKS.unservedExtensions.read(isServed) === 'ignore') return null;
      return parse(name, () => parseName(name, resourceType));
    },
  };
}

function parseName(name: string, resourceType: ResourceTypeDefinition): PatchPath | null {
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
