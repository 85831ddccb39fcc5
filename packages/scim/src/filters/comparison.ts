import { excerpt, scimError } from '../errors.ts';
import type { AttributeDefinition, AttributeType } from '../schemas/types.ts';
import { comparedAttribute, printPath } from './path.ts';
import type { AttributePath, CompareOperator, CompareValue } from './types.ts';

const TEXT_OPERATORS: ReadonlySet<CompareOperator> = new Set(['co', 'sw', 'ew']);
const EQUALITY_OPERATORS: ReadonlySet<CompareOperator> = new Set(['eq', 'ne']);

/** Operators by type of attribute; ordering of booleans and binaries is an error (RFC 7644, table 3). */
const OPERATORS: Readonly<Record<AttributeType, (operator: CompareOperator) => boolean>> = {
  string: () => true,
  reference: () => true,
  dateTime: () => true,
  binary: (operator) => EQUALITY_OPERATORS.has(operator) || TEXT_OPERATORS.has(operator),
  decimal: (operator) => !TEXT_OPERATORS.has(operator),
  integer: (operator) => !TEXT_OPERATORS.has(operator),
  boolean: (operator) => EQUALITY_OPERATORS.has(operator),
  complex: () => false,
};

/**
 * Checks that an operator and a value fit an attribute. Returns the value in the attribute's type: booleans for
 * "True" and "False" in quotes, times as ISO 8601 in UTC with milliseconds (further digits are dropped).
 * @throws ProbityError `invalidFilter`
 */
export function checkComparison(
  path: AttributePath,
  operator: CompareOperator,
  value: CompareValue,
): CompareValue {
  const definition = checkComparable(path);
  const name = printPath(path);
  if (!OPERATORS[definition.type](operator)) {
    throw scimError('invalidFilter', `${operator} cannot compare ${name}, a ${definition.type}`);
  }
  if (value === null) {
    if (EQUALITY_OPERATORS.has(operator)) return null;
    throw scimError('invalidFilter', `null can only be compared by eq and ne: ${name}`);
  }
  const converted = TEXT_OPERATORS.has(operator) ? textOf(value) : convert(definition, value);
  if (converted !== undefined) return converted;
  const expected = EXPECTED[definition.type];
  throw scimError(
    'invalidFilter',
    `${name} is compared with ${expected}, not ${excerpt(String(value))}`,
  );
}

/**
 * The definition of the values that a path compares.
 * @throws ProbityError `invalidFilter` for a complex attribute without `value`
 */
function checkComparable(path: AttributePath): AttributeDefinition {
  const definition = comparedAttribute(path);
  if (definition) return definition;
  const name = printPath(path);
  const example = path.attribute.subAttributes?.[0]?.name;
  throw scimError(
    'invalidFilter',
    `${name} has sub-attributes: name one, such as ${name}.${example}`,
  );
}

const EXPECTED: Readonly<Record<AttributeType, string>> = {
  string: 'a text in double quotes',
  reference: 'a text in double quotes',
  binary: 'a text in double quotes',
  dateTime: 'a time such as "2011-05-13T04:42:34Z"',
  decimal: 'a number',
  integer: 'a number',
  boolean: 'true or false',
  complex: 'its sub-attributes',
};

function convert(
  { type }: AttributeDefinition,
  value: string | number | boolean,
): CompareValue | undefined {
  switch (type) {
    case 'boolean':
      return booleanOf(value);
    case 'decimal':
    case 'integer':
      return typeof value === 'number' ? value : undefined;
    case 'dateTime':
      return typeof value === 'string' ? timeOf(value) : undefined;
    default:
      return textOf(value);
  }
}

function textOf(value: string | number | boolean): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function booleanOf(value: string | number | boolean): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value).toLowerCase();
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

const TIME = /^(\d{4}-(\d{2})-(\d{2}))T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,12}))?(Z|[+-]\d{2}:\d{2})?$/i;

/** xsd:dateTime in years 0001 to 9999, without zone in UTC. */
function timeOf(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, date = '', , day = '', time = '', fraction = '', zone = 'Z'] = match;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = new Date(`${date}T00:00:00Z`);
  const at = new Date(`${date}T${time}.${milliseconds}${zone.toUpperCase()}`);
  if (Number.isNaN(at.getTime()) || local.getUTCDate() !== Number(day)) return undefined;
  const iso = at.toISOString();
  return iso.length === 24 ? iso : undefined;
}
