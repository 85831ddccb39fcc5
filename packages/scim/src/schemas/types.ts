/** A JSON value as it is received and sent. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { readonly [name: string]: JsonValue };

/** Data types of attributes (RFC 7643, section 2.3). */
export type AttributeType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'binary'
  | 'reference'
  | 'complex';

/** The definition of an attribute (RFC 7643, section 7). */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  /** Whether letter case matters when values are compared. */
  readonly caseExact: boolean;
  /** Whether values are mailboxes, all writings of which are equal (see `foldMailbox`); not part of the wire form. */
  readonly isMailbox?: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server' | 'global';
  /** Suggestions; other values are accepted. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  /** Of a complex attribute. */
  readonly subAttributes?: readonly AttributeDefinition[];
}

/** A schema (RFC 7643, section 7). */
export interface SchemaDefinition {
  /** URN. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly AttributeDefinition[];
}

/** The names of resource types, which are also those of `meta.resourceType`. */
export type ResourceTypeName = 'User' | 'Group';

/** A resource type (RFC 7643, section 6). */
export interface ResourceTypeDefinition {
  readonly name: ResourceTypeName;
  /** Path relative to the base URL. */
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: SchemaDefinition;
  readonly extensions: ReadonlyArray<{
    readonly schema: SchemaDefinition;
    readonly required: boolean;
  }>;
}
