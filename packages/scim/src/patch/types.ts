import type { AttributePath, Filter } from '../filters/types.ts';
import type { AttributeDefinition, JsonValue } from '../schemas/types.ts';

/** A change of a group's members. */
export type MemberChange =
  | { readonly kind: 'add' | 'remove' | 'replace'; readonly ids: readonly string[] }
  /** Removes the members that match; the paths of the filter name sub-attributes of `members`. */
  | { readonly kind: 'removeMatching'; readonly filter: Filter }
  | { readonly kind: 'clear' };

/** Operations of PATCH (RFC 7644, section 3.5.2). */
export type PatchOperationName = 'add' | 'replace' | 'remove';

/** Assigns a single-valued attribute or sub-attribute; undefined unassigns it. */
interface SetOperation {
  readonly kind: 'set';
  readonly path: AttributePath;
  readonly value: JsonValue | undefined;
}

/** Changes a multi-valued attribute as a whole; removes the values that are like these. */
interface ValuesOperation {
  readonly kind: 'addValues' | 'replaceValues' | 'removeValues';
  readonly path: AttributePath;
  readonly values: readonly JsonValue[];
}

/** Changes elements of a multi-valued attribute: those that match, or all. */
interface ElementsOperation {
  readonly kind: 'elements';
  readonly op: PatchOperationName;
  readonly path: AttributePath;
  /** Null for all elements. */
  readonly filter: Filter | null;
  /** Null for the elements themselves. */
  readonly sub: AttributeDefinition | null;
  /** Undefined unassigns. */
  readonly value: JsonValue | undefined;
}

/**
 * An operation with its value checked and in canonical form: what is left to apply depends on the resource only. One
 * operation of a request may be several, one for each attribute of its value.
 */
export type PatchOperation =
  | SetOperation
  | ValuesOperation
  | ElementsOperation
  | { readonly kind: 'removeExtension'; readonly extension: string }
  | { readonly kind: 'members'; readonly change: MemberChange };
