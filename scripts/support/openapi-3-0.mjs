/**
 * @typedef {Record<string, any>} Json
 */

/** Keywords of JSON Schema 2020-12 that OpenAPI 3.0 does not have, and that change no type. */
const dropped = ['propertyNames', 'examples', '$comment'];

/**
 * The document as OpenAPI 3.0, which older generators of clients need: without webhooks, with
 * `nullable` in place of the type null, and `enum` in place of `const`.
 * @param {Json} document OpenAPI 3.1.
 * @returns {Json}
 */
export function toOpenApi30(document) {
  const { webhooks: _, openapi: __, info, paths, components, ...rest } = document;
  const { license, ...facts } = info;
  return {
    openapi: '3.0.3',
    info: { ...facts, license: { name: license.name } },
    ...rest,
    paths: withSchemas(paths),
    components: {
      ...withSchemas(components),
      schemas: mapValues(components.schemas, toSchema30),
    },
  };
}

/** @param {any} value @returns {any} The value with every member `schema` converted. */
function withSchemas(value) {
  if (Array.isArray(value)) return value.map(withSchemas);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    if (key === 'schema') return [key, toSchema30(member)];
    return [key, key === 'example' ? member : withSchemas(member)];
  });
  return Object.fromEntries(entries);
}

/** @param {Json} schema @returns {Json} */
function toSchema30(schema) {
  const { type, anyOf, const: value, ...rest } = schema;
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type];
  const alternatives = anyOf?.filter((/** @type {Json} */ each) => each.type !== 'null');
  const isNullable = type?.includes?.('null') || alternatives?.length < anyOf?.length;
  const one = alternatives?.length === 1 ? toSchema30(alternatives[0]) : null;
  const isReference = one !== null && '$ref' in one;
  return {
    ...mapEntries(rest),
    ...(types[0] && type !== 'null' ? { type: types[0] } : {}),
    ...(value === undefined ? {} : { enum: [value] }),
    ...(isReference ? { allOf: [one] } : one),
    ...(alternatives?.length > 1 ? choiceOf(alternatives) : {}),
    ...(isNullable ? { nullable: true } : {}),
  };
}

/**
 * Of objects of several kinds the first, which a call answers without parameters that ask for another: the generators
 * name a class for the choice, and do not make it.
 * @param {Json[]} alternatives @returns {Json}
 */
function choiceOf(alternatives) {
  const [first] = alternatives;
  if (first && alternatives.every((each) => '$ref' in each)) return first;
  return { anyOf: alternatives.map(toSchema30) };
}

/** @param {Json} schema @returns {Json} */
function mapEntries(schema) {
  const entries = Object.entries(schema)
    .filter(([key]) => !dropped.includes(key))
    .flatMap(([key, member]) => {
      switch (key) {
        case 'properties':
          return [[key, mapValues(member, toSchema30)]];
        case 'items':
          return [[key, toSchema30(member)]];
        case 'additionalProperties':
          return [[key, typeof member === 'object' ? toSchema30(member) : member]];
        case 'oneOf':
        case 'allOf':
          return [[key, member.map(toSchema30)]];
        case 'exclusiveMinimum':
          return [
            ['minimum', member],
            ['exclusiveMinimum', true],
          ];
        default:
          return [[key, member]];
      }
    });
  return Object.fromEntries(entries);
}

/** @param {Json} object @param {(value: any) => any} map @returns {Json} */
function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
