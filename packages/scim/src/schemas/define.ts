import type { AttributeDefinition } from './types.ts';

/** Characteristics of an attribute that differ from the defaults of RFC 7643, section 2.2. */
type Characteristics = Partial<Omit<AttributeDefinition, 'name' | 'description'>>;

/** Defines an attribute: a single optional string compared without case, unless `characteristics` say otherwise. */
export function attribute(
  name: string,
  description: string,
  characteristics: Characteristics = {},
): AttributeDefinition {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...characteristics,
  };
}

/** Defines a complex attribute. */
export function complex(
  name: string,
  description: string,
  subAttributes: readonly AttributeDefinition[],
  characteristics: Characteristics = {},
): AttributeDefinition {
  return attribute(name, description, { type: 'complex', ...characteristics, subAttributes });
}

/** Defines a reference to resources of the named types. URIs are compared with case. */
export function reference(
  name: string,
  description: string,
  referenceTypes: readonly string[],
  characteristics: Characteristics = {},
): AttributeDefinition {
  return attribute(name, description, {
    type: 'reference',
    caseExact: true,
    ...characteristics,
    referenceTypes,
  });
}

/**
 * Defines a multi-valued complex attribute with the sub-attributes of RFC 7643, section 2.4: `value`, `display`,
 * `type` and `primary`.
 */
export function plural(
  name: string,
  description: string,
  options: {
    /** What one value is, as in "The e-mail address". */
    readonly value: string;
    /** Suggested types. */
    readonly types?: readonly string[];
    readonly characteristics?: Characteristics;
  },
): AttributeDefinition {
  const subAttributes = [
    attribute('value', `${options.value}.`, options.characteristics),
    ...labels(options.types),
  ];
  return complex(name, description, subAttributes, { multiValued: true });
}

/** The sub-attributes that label one of several values: `display`, `type` and `primary`. */
export function labels(types?: readonly string[]): readonly AttributeDefinition[] {
  return [
    attribute('display', 'Text that shows the value to people.'),
    attribute('type', 'What the value is for.', types ? { canonicalValues: types } : {}),
    attribute('primary', 'Whether this is the preferred value; true for at most one.', {
      type: 'boolean',
    }),
  ];
}
