/** @typedef {import('./client-operations.mjs').Schema} Schema */

const header = '// Generated from the OpenAPI document by scripts/client.mjs.\n\n';

/** What decides about the type, and what only its documentation names or nothing does. */
const known = new Set([
  ...[
    '$ref',
    'type',
    'const',
    'enum',
    'anyOf',
    'oneOf',
    'allOf',
    'items',
    'properties',
    'required',
  ],
  ...['additionalProperties', 'description', 'format', 'default', 'minimum', 'maximum', 'pattern'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['uniqueItems', 'propertyNames', 'example', 'examples', 'title', 'deprecated'],
]);

/** What the documentation of a member says of its format. */
const formats = new Map([
  ['date-time', 'ISO 8601, UTC'],
  ['date', 'ISO 8601 date'],
  ['uuid', 'UUID'],
  ['idn-email', 'e-mail address'],
]);

/**
 * The types of schemas.
 * @param {ReadonlyMap<string, Schema>} schemas By name.
 * @param {ReadonlyMap<string, string>} events Names of the schemas of events, by type.
 * @returns {string}
 */
export function schemasFile(schemas, events) {
  const types = [...schemas].map(([name, schema]) => declaration(name, schema));
  const members = [...events].map(([type, name]) => `'${type}': ${name}['data'];`);
  const data = `/** The data of the events that webhooks deliver, by type. */\nexport interface ProbityEvents {\n${members.join('\n')}\n}\n`;
  return `${header}${[...types, data].join('\n')}`;
}

/** @param {string} name @param {Schema} schema */
function declaration(name, schema) {
  const documentation = toComment(factsOf(schema, false));
  const isInterface = schema.type === 'object' && schema.properties && !schema.additionalProperties;
  return isInterface
    ? `${documentation}export interface ${name} ${membersOf(schema, name)}\n`
    : `${documentation}export type ${name} = ${typeOf(schema, name)};\n`;
}

/**
 * @param {Schema} schema @param {string} path Where it stands, for messages.
 * @returns {string}
 * @throws {Error} On a keyword that is not known.
 */
function typeOf(schema, path) {
  const unknown = Object.keys(schema).find((key) => !known.has(key) && !key.startsWith('x-'));
  if (unknown) throw new Error(`${path}: the keyword ${unknown} has no type.`);
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum)
    return union(schema.enum.map((/** @type {unknown} */ each) => JSON.stringify(each)));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    return union(alternatives.map((/** @type {Schema} */ each) => typeOf(each, path)));
  }
  if (schema.allOf) {
    return schema.allOf
      .map((/** @type {Schema} */ each) => parenthesized(typeOf(each, path)))
      .join(' & ');
  }
  if (Array.isArray(schema.type)) {
    return union(
      schema.type.map((/** @type {string} */ type) => typeOf({ ...schema, type }, path)),
    );
  }
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `readonly ${parenthesized(typeOf(schema.items ?? {}, `${path}.items`))}[]`;
    case 'object':
      return objectOf(schema, path);
    default:
      throw new Error(`${path}: the type ${schema.type} is not known.`);
  }
}

/** @param {Schema} schema @param {string} path */
function objectOf(schema, path) {
  const { properties, additionalProperties } = schema;
  const others =
    typeof additionalProperties === 'object'
      ? typeOf(additionalProperties, `${path}.*`)
      : 'unknown';
  const record = `Readonly<Record<string, ${others}>>`;
  if (Object.keys(properties ?? {}).length === 0) return record;
  return additionalProperties ? `${membersOf(schema, path)} & ${record}` : membersOf(schema, path);
}

/** @param {Schema} schema @param {string} path */
function membersOf({ properties = {}, required = [] }, path) {
  const members = Object.entries(properties).map(([name, each]) => {
    const isRequired = required.includes(name);
    const type = typeOf(each, `${path}.${name}`);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const typed = isRequired ? `${key}: ${type}` : `${key}?: ${union([type, 'undefined'])}`;
    return `${toComment(factsOf(each, true))}readonly ${typed};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** @param {readonly string[]} types */
function union(types) {
  return [...new Set(types)].join(' | ');
}

/** @param {string} type */
function parenthesized(type) {
  return / [|&] |^readonly /.test(type) ? `(${type})` : type;
}

/**
 * What a schema says besides its type.
 * @param {Schema} schema @param {boolean} isMember Whether it may be the type of a schema with a text of its own.
 */
function factsOf(schema, isMember) {
  const { description, format, default: fallback, minimum, maximum, maxLength, maxItems } = schema;
  const facts = [
    formats.get(format),
    isMember && schema.type === 'integer' && maximum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems}`,
    fallback !== undefined && `default ${JSON.stringify(fallback)}`,
  ].filter(Boolean);
  const text = facts.join('; ');
  const sentence = text && `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  return [description, sentence].filter(Boolean).join(description?.includes('\n') ? '\n\n' : ' ');
}

/**
 * A comment of documentation with this text, or nothing.
 * @param {string} text
 */
export function toComment(text) {
  if (text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n').flatMap(wrap);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** @param {string} line @returns {string[]} Lines of about 100 characters. */
function wrap(line) {
  return line.match(/.{1,96}(?:\s|$)|\S+/g)?.map((part) => part.trimEnd()) ?? [''];
}
