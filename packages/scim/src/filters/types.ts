import type { AttributeDefinition } from '../schemas/types.ts';

/**
 * An attribute that a filter, `attributes`, `sortBy` or a PATCH path names, looked up in the schemas of a
 * resource type. Names are those of the definitions, whatever the letter case of the request.
 */
export interface AttributePath {
  /** URN of the extension; null for the resource type's own schema and common attributes. */
  readonly extension: string | null;
  readonly attribute: AttributeDefinition;
  /** Null when the path names the attribute itself. */
  readonly subAttribute: AttributeDefinition | null;
}

/** Comparison operators (RFC 7644, section 3.4.2.2). */
export type CompareOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** The value of a comparison. */
export type CompareValue = string | number | boolean | null;

/**
 * A parsed filter (RFC 7644, section 3.4.2.2). Comparisons of a complex attribute without a sub-attribute mean its
 * `value`. Within `valuePath`, paths name sub-attributes: `attribute` is that of the outer path.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | {
      readonly kind: 'compare';
      readonly path: AttributePath;
      readonly operator: CompareOperator;
      readonly value: CompareValue;
    }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'valuePath'; readonly path: AttributePath; readonly filter: Filter };
