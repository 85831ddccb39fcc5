import { excerpt, scimError } from '../errors.ts';
import type { AttributeDefinition, ResourceTypeDefinition } from '../schemas/types.ts';
import { createParser, FILTER_LIMITS } from './parse.ts';
import { findAttribute, findExtension, parsePath, printPath } from './path.ts';
import { tokenize } from './tokens.ts';
import type { AttributePath, Filter } from './types.ts';

/** What the path of a PATCH operation names (RFC 7644, section 3.5.2). */
export interface PatchPath {
  /** An attribute, or an extension as a whole. `subAttribute` is the same as `sub`. */
  readonly path: AttributePath | { readonly extension: string };
  /** Chooses elements of the multi-valued attribute; null for the attribute as a whole. */
  readonly valueFilter: Filter | null;
  /** The sub-attribute of the attribute or of each chosen element. */
  readonly sub: AttributeDefinition | null;
}

/**
 * Parses the path of a PATCH operation: `name.familyName`, `emails[type eq "work"].value`, `urn:...:User:manager`,
 * or the URN of an extension.
 * @throws ProbityError `invalidPath`; `invalidFilter` for what stands in brackets
 */
export function parsePatchPath(text: string, resourceType: ResourceTypeDefinition): PatchPath {
  const { maxLength } = FILTER_LIMITS;
  if (text.length > maxLength) {
    throw scimError('invalidPath', `The path is longer than ${maxLength} characters`);
  }
  const extension = findExtension(text.trim(), resourceType);
  if (extension !== null) return { path: { extension }, valueFilter: null, sub: null };
  const tokens = tokenize(text);
  const parser = createParser(tokens, FILTER_LIMITS);
  const path = resolve(parser.take('word')?.text ?? '', text, resourceType);
  if (tokens.length === 1) return { path, valueFilter: null, sub: path.subAttribute };
  if (!path.attribute.multiValued || path.subAttribute) {
    throw scimError(
      'invalidPath',
      `${printPath(path)} does not have several values to choose from`,
    );
  }
  const valueFilter = parser.valueFilter(path);
  const rest = parser.take('word');
  parser.end();
  if (!rest) return { path, valueFilter, sub: null };
  const sub = findAttribute(path.attribute.subAttributes ?? [], rest.text.replace(/^\./, ''));
  if (!sub || !rest.text.startsWith('.')) throw unknown(text, resourceType);
  return { path: { ...path, subAttribute: sub }, valueFilter, sub };
}

function resolve(name: string, text: string, resourceType: ResourceTypeDefinition): AttributePath {
  const path = parsePath(name, resourceType);
  if (!path) throw unknown(text, resourceType);
  return path;
}

function unknown(text: string, { name }: ResourceTypeDefinition): Error {
  return scimError('invalidPath', `${excerpt(text)} is not the path of an attribute of ${name}`);
}
