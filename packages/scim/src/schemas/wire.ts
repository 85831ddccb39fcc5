import type {
  AttributeDefinition,
  JsonObject,
  ResourceTypeDefinition,
  SchemaDefinition,
} from './types.ts';

/** URN of the schema of schemas. */
const SCHEMA_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
/** URN of the schema of resource types. */
const RESOURCE_TYPE_SCHEMA_ID = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

/**
 * The body of `/Schemas/{id}` (RFC 7643, section 7).
 * @param baseUrl URL of the SCIM interface, without a slash at its end
 */
export function toSchemaBody(schema: SchemaDefinition, baseUrl: string): JsonObject {
  return {
    schemas: [SCHEMA_SCHEMA_ID],
    id: schema.id,
    name: schema.name,
    description: schema.description,
    attributes: schema.attributes.map(toAttributeBody),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  };
}

function toAttributeBody(definition: AttributeDefinition): JsonObject {
  const { canonicalValues, referenceTypes, subAttributes } = definition;
  return {
    name: definition.name,
    type: definition.type,
    multiValued: definition.multiValued,
    description: definition.description,
    required: definition.required,
    caseExact: definition.caseExact,
    mutability: definition.mutability,
    returned: definition.returned,
    uniqueness: definition.uniqueness,
    ...(canonicalValues ? { canonicalValues } : {}),
    ...(referenceTypes ? { referenceTypes } : {}),
    ...(subAttributes ? { subAttributes: subAttributes.map(toAttributeBody) } : {}),
  };
}

/**
 * The body of `/ResourceTypes/{name}` (RFC 7643, section 6).
 * @param baseUrl URL of the SCIM interface, without a slash at its end
 */
export function toResourceTypeBody(type: ResourceTypeDefinition, baseUrl: string): JsonObject {
  return {
    schemas: [RESOURCE_TYPE_SCHEMA_ID],
    id: type.name,
    name: type.name,
    endpoint: type.endpoint,
    description: type.description,
    schema: type.schema.id,
    schemaExtensions: type.extensions.map(({ schema, required }) => ({
      schema: schema.id,
      required,
    })),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.name}` },
  };
}
