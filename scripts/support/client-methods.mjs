import { toComment } from './client-schemas.mjs';

/** @typedef {import('./client-operations.mjs').Operation} Operation */

const header = '// Generated from the OpenAPI document by scripts/client.mjs.\n\n';

/**
 * The interfaces of the client's groups.
 * @param {readonly Operation[]} operations
 * @returns {string}
 */
export function methodsFile(operations) {
  const groups = groupsOf(operations);
  const interfaces = groups.map(([group, members]) => {
    const methods = members.map((each) => `${documentation(each)}${signature(each)}`);
    return `/** Operations of \`${group}\`. */\nexport interface ${interfaceName(group)} {\n${methods.join('\n\n')}\n}\n`;
  });
  const members = groups.map(([group]) => `readonly ${group}: ${interfaceName(group)};`);
  const whole = `/** Every operation of the API, by group. */\nexport interface ProbityApi {\n${members.join('\n')}\n}\n`;
  const body = [...interfaces, whole].join('\n');
  const imports = [
    ['../call-options.ts', ['CallOptions', 'KeyedCallOptions']],
    ['../download.ts', ['Download']],
    ['../line-body.ts', ['TextParts']],
    ['../listing.ts', ['Listing']],
    ['../server-sent-events.ts', ['EventStream']],
    ['./schemas.ts', operations.flatMap(typeNames)],
  ]
    .map(([file, names]) => importOf(String(file), /** @type {string[]} */ (names), body))
    .join('');
  return `${header}${imports}\n${body}`;
}

/** @param {string} file @param {readonly string[]} names @param {string} body */
function importOf(file, names, body) {
  const used = [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(body)).sort();
  return used.length > 0 ? `import type { ${used.join(', ')} } from '${file}';\n` : '';
}

/**
 * What the client needs to call each operation.
 * @param {readonly Operation[]} operations
 * @param {string} version Of the client.
 * @returns {string}
 */
export function operationsFile(operations, version) {
  const groups = groupsOf(operations);
  const table = groups.map(([group, members]) => {
    const entries = members.map((each) => `${each.name}: ${JSON.stringify(entryOf(each))},`);
    return `${group}: {\n${entries.join('\n')}\n},`;
  });
  return `${header}import type { OperationTable } from '../operation.ts';

/** Version of this package. */
export const CLIENT_VERSION = '${version}';

/** Every operation, by group and name. */
export const OPERATIONS: OperationTable = {
${table.join('\n')}
};
`;
}

/** @param {Operation} operation */
function entryOf({ id, method, api, path, parameters, query, body, answer, isKeyed, isPublic }) {
  return {
    id,
    method,
    api,
    path,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(query ? { takesQuery: true } : {}),
    ...(body ? { takesBody: true } : {}),
    ...(body?.partsOf ? { partsOf: body.partsOf } : {}),
    answer: answer.kind,
    ...(answer.member ? { member: answer.member } : {}),
    ...(isKeyed ? { isKeyed } : {}),
    ...(isPublic ? { isPublic } : {}),
  };
}

/** @param {Operation} operation */
function signature({ name, parameters, query, body, answer, isKeyed }) {
  const options = isKeyed ? 'KeyedCallOptions' : 'CallOptions';
  const needsQuery = body !== null && query !== null;
  const isRequired = needsQuery && query.isRequired;
  const own = needsQuery
    ? `options${isRequired ? '' : '?'}: ${options} & { readonly query${isRequired ? '' : '?'}: ${query.type} }`
    : `options?: ${options}`;
  if (answer.group) return groupedSignatures({ name, query, own, answer });
  const input = body ?? query;
  const args = [
    ...parameters.map((each) => `${each}: string`),
    ...(input
      ? [`${body ? 'body' : 'query'}${input.isRequired ? '' : '?'}: ${bodyType(input)}`]
      : []),
    own,
  ];
  return `${name}(${args.join(', ')}): ${answerType(answer)};`;
}

/**
 * A list that counts its items when the query says by what: by the type of the query, the caller gets one or the other.
 * @param {Pick<Operation, 'name' | 'query' | 'answer'> & { readonly own: string }} operation
 */
function groupedSignatures({ name, query, own, answer }) {
  const grouped = `${query?.type} & { readonly group_by: string }`;
  const listed = `${query?.type} & { readonly group_by?: undefined }`;
  return [
    `${name}(query: ${grouped}, ${own}): Listing<${answer.group}>;`,
    `${name}(query?: ${listed}, ${own}): Listing<${answer.type}>;`,
  ].join('\n');
}

/** @param {{ type: string, partsOf?: string }} input */
function bodyType({ type, partsOf }) {
  if (!partsOf) return type;
  return `${type} | (Omit<${type}, '${partsOf}'> & { readonly ${partsOf}: TextParts })`;
}

/** @param {Operation['answer']} answer */
function answerType({ kind, type }) {
  switch (kind) {
    case 'list':
      return `Listing<${type}>`;
    case 'events':
      return `EventStream<${type}>`;
    default:
      return `Promise<${type}>`;
  }
}

/** @param {Operation} operation */
function documentation({ summary, description, route, answer, isDeprecated }) {
  const reading = answer.kind === 'list' && '`await` it for a page, or `for await` each item.';
  const texts = [`${summary.replace(/\.$/, '')}.`, description, reading, `\`${route}\``];
  const deprecated = isDeprecated ? ['@deprecated See the description.'] : [];
  return toComment([...texts, ...deprecated].filter(Boolean).join('\n\n'));
}

/** @param {Operation} operation */
function typeNames({ query, body, answer }) {
  const isNamed = !['none', 'download'].includes(answer.kind) && answer.type !== 'unknown';
  const types = [query?.type, body?.type, isNamed ? answer.type : undefined, answer.group];
  return types.filter((type) => type !== undefined);
}

/** @param {string} group */
function interfaceName(group) {
  return `${group[0]?.toUpperCase()}${group.slice(1)}Api`;
}

/**
 * @param {readonly Operation[]} operations
 * @returns {[string, Operation[]][]} In the order of their names.
 */
function groupsOf(operations) {
  const names = [...new Set(operations.map(({ group }) => group))].sort();
  return names.map((name) => [name, operations.filter(({ group }) => group === name)]);
}
