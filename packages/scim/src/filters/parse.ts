import { excerpt, scimError } from '../errors.ts';
import type { ResourceTypeDefinition } from '../schemas/types.ts';
import { checkComparison } from './comparison.ts';
import { comparedAttribute, findAttribute, parsePath, printPath } from './path.ts';
import type { Token } from './tokens.ts';
import { tokenize } from './tokens.ts';
import type { AttributePath, CompareOperator, CompareValue, Filter } from './types.ts';

/** Bounds of filters, which bound the time of their evaluation. */
export interface FilterLimits {
  /** In UTF-16 code units. Default: 4,096. */
  readonly maxLength: number;
  /** Number of comparisons. Default: 100. */
  readonly maxTerms: number;
  /** Levels of brackets. Default: 20. */
  readonly maxDepth: number;
}

/** The default bounds. */
export const FILTER_LIMITS: FilterLimits = { maxLength: 4_096, maxTerms: 100, maxDepth: 20 };

const OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
]);

/**
 * Parses a filter (RFC 7644, section 3.4.2.2). Operators, attribute names, `true`, `false` and `null` may have any
 * letter case. Beyond the RFC's grammar, as identity providers send or document it, texts of one word may lack quotes
 * (`userName eq bjensen`), and a sub-attribute or a comparison may follow a value path:
 * `emails[type eq "work"].value eq "x"` and `emails[type eq "work"] eq "x"` mean
 * `emails[type eq "work" and value eq "x"]`.
 * @throws ProbityError `invalidFilter`, also for attributes that the resource type does not have
 */
export function parseFilter(
  text: string,
  resourceType: ResourceTypeDefinition,
  limits: FilterLimits = FILTER_LIMITS,
): Filter {
  return parseWith(text, limits, (name) => {
    const path = parsePath(name, resourceType);
    if (path) return path;
    throw scimError('invalidFilter', `${resourceType.name} has no attribute ${excerpt(name)}`);
  });
}

/** Parses a filter whose names `resolve` looks up. */
export function parseWith(text: string, limits: FilterLimits, resolve: Resolve): Filter {
  if (text.length > limits.maxLength) {
    throw scimError('invalidFilter', `The filter is longer than ${limits.maxLength} characters`);
  }
  const parser = createParser(tokenize(text), limits);
  const filter = parser.filter((name) => readable(resolve(name)));
  parser.end();
  return filter;
}

/** Attributes that are never returned cannot be found out by filters either. */
function readable(path: AttributePath): AttributePath {
  if ((path.subAttribute ?? path.attribute).returned !== 'never') return path;
  throw scimError('invalidFilter', `${printPath(path)} cannot be filtered by`);
}

/** Looks up a name below a value path. A simple attribute's own value is named `value`. */
function resolveWithin(outer: AttributePath, name: string): AttributePath {
  const { attribute } = outer;
  if (attribute.type !== 'complex') {
    if (name.toLowerCase() === 'value') return outer;
  } else {
    const subAttribute = findAttribute(attribute.subAttributes ?? [], name);
    if (subAttribute) return { ...outer, subAttribute };
  }
  throw scimError('invalidFilter', `${printPath(outer)} has no sub-attribute ${excerpt(name)}`);
}

/** Looks up the path of a name, or throws. */
type Resolve = (name: string) => AttributePath;

/** A recursive descent over the tokens of a filter; its depth is bounded by the limits. */
export interface FilterParser {
  /** Parses terms joined by `and` and `or`, which binds less. */
  filter(resolve: Resolve): Filter;
  /** Parses the rest of a value path from its opening bracket. */
  valueFilter(path: AttributePath): Filter;
  /** Takes the next token if it is of this kind. */
  take(kind: Token['kind']): Token | null;
  end(): void;
}

/** Creates the parser of a filter's tokens. */
export function createParser(tokens: readonly Token[], limits: FilterLimits): FilterParser {
  let position = 0;
  let terms = 0;
  let depth = 0;
  let withinValuePath = false;

  function take(kind: Token['kind']): Token | null {
    const token = tokens[position];
    if (token?.kind !== kind) return null;
    position += 1;
    return token;
  }

  function takeWord(word: string): boolean {
    const token = tokens[position];
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false;
    position += 1;
    return true;
  }

  function expect(kind: Token['kind'], what: string): Token {
    return take(kind) ?? fail(what);
  }

  function fail(expected: string): never {
    const token = tokens[position];
    const found = token ? `${excerpt(token.text)} (character ${token.start + 1})` : 'the end';
    throw scimError('invalidFilter', `The filter needs ${expected} instead of ${found}`);
  }

  function joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const first = part();
    if (!takeWord(kind)) return first;
    const filters = [first];
    do filters.push(part());
    while (takeWord(kind));
    return { kind, filters };
  }

  function filter(resolve: Resolve): Filter {
    return joined('or', () => joined('and', () => factor(resolve)));
  }

  function nested(close: ')' | ']', resolve: Resolve): Filter {
    depth += 1;
    if (depth > limits.maxDepth) {
      throw scimError(
        'invalidFilter',
        `The filter has more than ${limits.maxDepth} levels of brackets`,
      );
    }
    const inner = filter(resolve);
    expect(close, `"${close}"`);
    depth -= 1;
    return inner;
  }

  function factor(resolve: Resolve): Filter {
    if (take('(')) return nested(')', resolve);
    const name = expect('word', 'an attribute').text;
    if (name.toLowerCase() === 'not') {
      expect('(', '"(" after not');
      return { kind: 'not', filter: nested(')', resolve) };
    }
    const path = resolve(name);
    if (tokens[position]?.kind === '[') return valuePath(path);
    return term(path);
  }

  function valueFilter(path: AttributePath): Filter {
    expect('[', '"["');
    const { attribute, subAttribute } = path;
    const isSimple = attribute.type !== 'complex' && !attribute.multiValued;
    if (subAttribute !== null || isSimple || withinValuePath) {
      throw scimError('invalidFilter', `${printPath(path)} has no sub-attributes`);
    }
    withinValuePath = true;
    const inner = nested(']', (name) => resolveWithin(path, name));
    withinValuePath = false;
    return inner;
  }

  function valuePath(path: AttributePath): Filter {
    const filter = valueFilter(path);
    const name = takeSubAttribute();
    if (name === null) return { kind: 'valuePath', path, filter };
    const rest = term(resolveWithin(path, name));
    return { kind: 'valuePath', path, filter: { kind: 'and', filters: [filter, rest] } };
  }

  /** The name after a value path: `value` where an operator follows; null when the value path is the whole term. */
  function takeSubAttribute(): string | null {
    const next = tokens[position];
    if (next?.kind !== 'word') return null;
    if (OPERATORS.has(next.text.toLowerCase())) return 'value';
    if (!next.text.startsWith('.') || next.start !== endOf(tokens[position - 1])) return null;
    position += 1;
    return next.text.slice(1);
  }

  function term(path: AttributePath): Filter {
    terms += 1;
    if (terms > limits.maxTerms) {
      throw scimError('invalidFilter', `The filter has more than ${limits.maxTerms} comparisons`);
    }
    if (takeWord('pr')) return { kind: 'present', path };
    const operator = takeOperator();
    const value = checkComparison(path, operator, takeValue(path));
    return { kind: 'compare', path, operator, value };
  }

  function takeOperator(): CompareOperator {
    const token = tokens[position];
    const operator = token?.kind === 'word' ? token.text.toLowerCase() : '';
    if (!OPERATORS.has(operator)) fail('an operator (eq, ne, co, sw, ew, gt, ge, lt, le or pr)');
    position += 1;
    return operator as CompareOperator;
  }

  function takeValue(path: AttributePath): CompareValue {
    const text = take('text');
    if (text) return text.text;
    const word = tokens[position];
    const value = word?.kind === 'word' ? literalOf(word.text, path) : undefined;
    if (value === undefined) fail('a value (text in double quotes, a number, true, false or null)');
    position += 1;
    return value;
  }

  return {
    filter,
    valueFilter,
    take,
    end: () => {
      if (position < tokens.length) fail('and, or, or its end');
    },
  };
}

function endOf(token: Token | undefined): number {
  return token ? token.start + token.text.length : -1;
}

const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;

/** One word of what identifiers and names are made of; it does not start with an apostrophe. */
const UNQUOTED = /^[\p{L}\p{N}_+][\p{L}\p{M}\p{N}._%+@:#!&$*~?|/'-]*$/u;
const RESERVED: ReadonlySet<string> = new Set([...OPERATORS, 'pr', 'and', 'or', 'not']);
const NUMERIC: ReadonlySet<string | undefined> = new Set(['decimal', 'integer', 'boolean']);

/** The value of a word without quotes: true, false, null, else a number or a text, as the attribute has them. */
function literalOf(word: string, path: AttributePath): CompareValue | undefined {
  const lower = word.toLowerCase();
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  if (lower === 'null') return null;
  if (!NUMERIC.has(comparedAttribute(path)?.type)) {
    return UNQUOTED.test(word) && !RESERVED.has(lower) ? word : undefined;
  }
  const number = NUMBER.test(word) ? Number(word) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
