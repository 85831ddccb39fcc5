/**
 * @typedef {Record<string, any>} Schema JSON Schema 2020-12 as OpenAPI 3.1 has it.
 *
 * @typedef {object} OpenApiDocument
 * @property {Record<string, Record<string, any>>} paths
 * @property {Record<string, { post: any }>} [webhooks]
 * @property {{ schemas: Record<string, Schema>, parameters?: Record<string, any>, responses?: Record<string, any> }} components
 *
 * @typedef {object} Operation One method of the client.
 * @property {string} group Its object in the client, `alerts`.
 * @property {string} name Its name there, `list`.
 * @property {string} id The operationId of the document.
 * @property {string} summary
 * @property {string} description
 * @property {boolean} isDeprecated
 * @property {string} route Method and path, as documents name them.
 * @property {string} method
 * @property {'general' | 'platform' | 'root'} api Whose prefix stands before the path.
 * @property {string} path Below that prefix.
 * @property {readonly string[]} parameters Of the path, in order and in camel case.
 * @property {{ type: string, isRequired: boolean } | null} query
 * @property {{ type: string, isRequired: boolean, partsOf?: string } | null} body `partsOf`: the member that may be given in parts.
 * @property {{ kind: 'none' | 'json' | 'data' | 'list' | 'events' | 'download', type: string, member?: string, group?: string }} answer
 *   `group`: the items of a list when its query says by what they are counted.
 * @property {readonly string[]} errors Names of the schemas of answers without success.
 * @property {boolean} isKeyed Whether it takes an Idempotency-Key.
 * @property {boolean} isPublic Whether it needs no credential.
 *
 * @typedef {object} ClientOperations
 * @property {Operation[]} operations
 * @property {Map<string, Schema>} schemas Of every name that they use.
 * @property {Map<string, string>} events Names of the schemas of events, by type.
 */

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const listMembers = ['total', 'limit', 'offset', 'has_more'];

/** Paths of the API, with the interface that they belong to; others are documents, probes and SCIM. */
const prefixes = /** @type {const} */ ([
  { prefix: '/api/v1', api: 'general' },
  { prefix: '/v1', api: 'platform' },
  { prefix: '/api', api: 'root' },
]);

/**
 * The operations of a document as methods. The group is the first segment of the path below the
 * prefix of its interface; the name is the operationId without the words of the group, in singular or
 * plural: `GET /api/v1/alerts` `listAlerts` is `alerts.list`.
 * @param {OpenApiDocument} document
 * @returns {ClientOperations}
 * @throws {Error} On what the client could not call.
 */
export function clientOperations(document) {
  const schemas = new Map(Object.entries(document.components.schemas));
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) =>
      methods
        .filter((method) => item[method] && item[method]['x-alias-of'] === undefined)
        .map((method) => toOperation({ method, path, described: item[method] }, document, schemas)),
    )
    .filter((operation) => operation !== null);
  requireUniqueNames(operations);
  const events = new Map(
    Object.entries(document.webhooks ?? {}).map(([type, { post }]) => [
      type,
      nameOf(post.requestBody.content['application/json'].schema.$ref),
    ]),
  );
  const used = reachable(schemas, [...operations.flatMap(typesOf), ...events.values()]);
  return { operations, schemas: used, events };
}

/**
 * @param {{ method: string, path: string, described: any }} at
 * @param {OpenApiDocument} document
 * @param {Map<string, Schema>} schemas Schemas without a name are added.
 * @returns {Operation | null}
 */
function toOperation({ method, path, described }, document, schemas) {
  const home = prefixes.find(({ prefix }) => path.startsWith(`${prefix}/`));
  if (!home) return null;
  const { operationId: id } = described;
  const below = path.slice(home.prefix.length);
  const group = toCamel(below.split('/')[1] ?? '');
  /** @type {any[]} */
  const parameters = described.parameters.map((/** @type {any} */ each) =>
    each.$ref ? document.components.parameters?.[nameOf(each.$ref)] : each,
  );
  const name = (/** @type {Schema} */ schema, /** @type {string} */ suffix) =>
    named(schema, toPascal(id) + suffix, schemas);
  return {
    group,
    name: methodName(id, group),
    id,
    summary: described.summary,
    description: described.description ?? '',
    isDeprecated: described.deprecated === true,
    route: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    api: home.api,
    path: below,
    parameters: [...below.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => toCamel(each)),
    query: queryOf(parameters, name),
    body: bodyOf(described, name),
    answer: answerOf(described, name),
    errors: errorsOf(described, document),
    isKeyed: parameters.some((each) => each.name === 'Idempotency-Key'),
    isPublic: described.security.length === 0,
  };
}

/** @typedef {(schema: Schema, suffix: string) => string} Namer */

/** @param {any[]} parameters @param {Namer} name */
function queryOf(parameters, name) {
  const inQuery = parameters.filter((each) => each.in === 'query');
  if (inQuery.length === 0) return null;
  const listed = inQuery.find(
    ({ schema, explode }) => schema.type === 'array' && explode !== false,
  );
  if (listed)
    throw new Error(`The query parameter ${listed.name} is a list without explode: false.`);
  const properties = inQuery.map((each) => [
    each.name,
    each.description ? { description: each.description, ...each.schema } : each.schema,
  ]);
  const required = inQuery.filter((each) => each.required).map((each) => each.name);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return { type: name(schema, 'Query'), isRequired: required.length > 0 };
}

/** The type of bodies that are sent in parts, and the member of the JSON body of which they are. */
const lines = 'application/x-ndjson';
const partsOf = 'response';

/** @param {any} described @param {Namer} name */
function bodyOf({ operationId, requestBody }, name) {
  if (!requestBody) return null;
  const types = Object.keys(requestBody.content);
  const media = requestBody.content['application/json'];
  // Of several types the client sends JSON.
  if (!media) {
    throw new Error(`${operationId} accepts ${types.join(' and ')}; the client sends JSON only.`);
  }
  const body = { type: name(media.schema, 'Body'), isRequired: requestBody.required === true };
  return types.includes(lines) ? { ...body, partsOf } : body;
}

/** @param {any} described @param {OpenApiDocument} document @returns {string[]} */
function errorsOf({ responses }, { components }) {
  const errors = Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([, each]) => (each.$ref ? components.responses?.[nameOf(each.$ref)] : each));
  return referencesIn(errors);
}

/** @param {any} described @param {Namer} name @returns {Operation['answer']} */
function answerOf({ operationId, responses }, name) {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => content);
  const types = new Set(contents.flatMap((content) => Object.keys(content)));
  if (types.size === 0) return { kind: 'none', type: 'void' };
  const isJson = types.size === 1 && types.has('application/json');
  if (types.size === 1 && types.has('text/event-stream')) {
    return { kind: 'events', type: eventType(contents[0]['text/event-stream'].schema, name) };
  }
  if (!isJson) return { kind: 'download', type: 'Download' };
  if (contents.some((content) => Object.keys(content).length === 0)) {
    throw new Error(`${operationId} answers success with and without a body.`);
  }
  const schemas = distinct(contents.map((content) => content['application/json'].schema));
  const [schema = {}] = schemas;
  if (schemas.length > 1) return { kind: 'json', type: name({ anyOf: schemas }, 'Result') };
  const members = Object.keys(schema.properties ?? {});
  if (members.length === 1 && members[0] === 'data') {
    return { kind: 'data', type: name(schema.properties.data, 'Result') };
  }
  const own = members.filter((member) => !listMembers.includes(member));
  const [member = ''] = own;
  const isPage = own.length === 1 && members.length === listMembers.length + 1;
  if (isPage && schema.properties[member].type === 'array') {
    const { items } = schema.properties[member];
    const [item, group] = items.anyOf ?? [items];
    return {
      ...{ kind: 'list', type: name(item, 'Item'), member },
      ...(group ? { group: name(group, 'Group') } : {}),
    };
  }
  return { kind: 'json', type: name(schema, 'Result') };
}

/** @param {Schema} schema Of the data of each event; text where the document does not say. @param {Namer} name */
function eventType(schema, name) {
  return Object.keys(schema).length === 0 ? 'unknown' : name(schema, 'Event');
}

/** @param {readonly Schema[]} schemas */
function distinct(schemas) {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/**
 * The name of a schema, which one without a name is given.
 * @param {Schema} schema @param {string} fallback @param {Map<string, Schema>} schemas
 */
function named(schema, fallback, schemas) {
  if (schema.$ref && Object.keys(schema).length === 1) return nameOf(schema.$ref);
  if (schemas.has(fallback)) throw new Error(`Two schemas are named ${fallback}.`);
  schemas.set(fallback, schema);
  return fallback;
}

/** @param {Operation} operation */
function typesOf({ query, body, answer, errors }) {
  const types = [query?.type, body?.type, answer.type, answer.group, ...errors];
  return types.filter((type) => type !== undefined);
}

/** @param {unknown} value @returns {string[]} Names of the schemas that it refers to. */
function referencesIn(value) {
  const references = JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return [...references].map(([, name = '']) => name);
}

/**
 * The schemas of these names and those that they refer to, in alphabetical order.
 * @param {ReadonlyMap<string, Schema>} schemas @param {readonly string[]} names
 */
function reachable(schemas, names) {
  const found = new Set(names.filter((name) => schemas.has(name)));
  for (const name of found) {
    for (const each of referencesIn(schemas.get(name))) found.add(each);
  }
  return new Map([...found].sort().map((name) => [name, schemas.get(name) ?? {}]));
}

/** @param {readonly Operation[]} operations */
function requireUniqueNames(operations) {
  const seen = new Map();
  for (const { group, name, id } of operations) {
    const key = `${group}.${name}`;
    if (seen.has(key)) {
      throw new Error(
        `${seen.get(key)} and ${id} would both be ${key}: choose another operationId.`,
      );
    }
    seen.set(key, id);
  }
}

/** @param {string} id @param {string} group */
function methodName(id, group) {
  const own = wordsOf(group).flatMap((word) => [word, singular(word)]);
  const words = wordsOf(id);
  const left = words.filter((word) => !own.includes(word));
  return toCamel((left.length > 0 ? left : words).join('-'));
}

/** @param {string} camel */
function wordsOf(camel) {
  return camel
    .replace(/([A-Z])/g, '-$1')
    .toLowerCase()
    .split('-')
    .filter(Boolean);
}

/** @param {string} word */
function singular(word) {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}

/** @param {string} name In kebab or snake case. */
function toCamel(name) {
  return name.replace(/[-_]([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} camel */
function toPascal(camel) {
  return camel[0]?.toUpperCase() + camel.slice(1);
}

/** @param {string} reference Such as `#/components/schemas/Alert`. */
function nameOf(reference) {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
