import type { SqlDialect } from '@probity/core/sql';
import type { AttributeDefinition } from '../schemas/types.ts';
import { foldCase, foldExpected } from './compare-values.ts';
import type { Fragment } from './fragment.ts';
import { fragment, joinConditions, literal, rawFragment } from './fragment.ts';
import { comparedAttribute, printPath } from './path.ts';
import type { ColumnValues, SearchTable } from './search-table.ts';
import type { AttributePath, CompareOperator, Filter } from './types.ts';

/** A filter as a condition on the row `r` of a table. */
export interface CompiledFilter {
  /** Null when nothing of the filter can be expressed. */
  readonly condition: Fragment | null;
  /** Whether the condition is the filter; else more rows may meet it, and `matches` decides. */
  readonly isExact: boolean;
}

const NOTHING: CompiledFilter = { condition: null, isExact: false };

/** Where a condition is evaluated. */
interface Scope {
  readonly table: SearchTable;
  readonly dialect: SqlDialect;
  /** Within a value path: the scalars of its element. */
  readonly element: ((path: AttributePath) => Scalar | null) | null;
}

/** A value of which there is at most one; NULL when there is none. */
interface Scalar {
  readonly expression: Fragment;
  readonly values: ColumnValues;
  readonly isRequired?: boolean;
  readonly isOrdered?: boolean;
}

/** The elements of a multi-valued attribute. */
interface Elements {
  /** What follows `from`, up to a condition. */
  readonly from: Fragment;
  /** The value that a path compares; null when it is not expressible. */
  scalarOf(path: AttributePath): Scalar | null;
}

/**
 * Compiles a filter to SQL with the meaning of `matches`. Values are parameters; names are those of the schemas.
 * Conditions may be NULL where they are not met.
 */
export function compileFilter(
  filter: Filter,
  table: SearchTable,
  dialect: SqlDialect,
): CompiledFilter {
  return compile(filter, { table, dialect, element: null });
}

function compile(filter: Filter, scope: Scope): CompiledFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return compileAll(filter.kind, filter.filters, scope);
    case 'not':
      return compileNot(filter.filter, scope);
    case 'compare':
      return exactly(compileComparison(filter, scope));
    case 'present':
      return exactly(compilePresence(filter.path, scope));
    case 'valuePath':
      return compileValuePath(filter, scope);
  }
}

function exactly(condition: Fragment | null): CompiledFilter {
  return condition ? { condition, isExact: true } : NOTHING;
}

function compileAll(kind: 'and' | 'or', filters: readonly Filter[], scope: Scope): CompiledFilter {
  const parts = filters.map((part) => compile(part, scope));
  const conditions = parts.map(({ condition }) => condition).filter((part) => part !== null);
  // Without one of its parts, a conjunction has more rows; a disjunction would lack some.
  if (conditions.length === 0) return NOTHING;
  if (kind === 'or' && conditions.length < parts.length) return NOTHING;
  const isExact = parts.every((part) => part.isExact);
  return { condition: joinConditions(conditions, kind), isExact };
}

function compileNot(filter: Filter, scope: Scope): CompiledFilter {
  const { condition, isExact } = compile(filter, scope);
  return condition && isExact ? exactly(fragment`(${condition}) is not true`) : NOTHING;
}

type Comparison = Extract<Filter, { kind: 'compare' }>;

function compileComparison(comparison: Comparison, scope: Scope): Fragment | null {
  const { path, operator, value } = comparison;
  const scalar = scalarOf(path, scope);
  if (scalar) {
    const { expression } = scalar;
    if (value === null) return isNull(expression, operator === 'eq');
    const compared = compareScalar(comparison, scalar, scope.dialect);
    if (operator !== 'ne' || !compared) return compared;
    return fragment`${expression} is null or ${compared}`;
  }
  const elements = elementsOf(path, scope);
  const element = elements?.scalarOf(path);
  if (!elements || !element) return null;
  const { from } = elements;
  const some = fragment`exists (select 1 from ${from} and ${isNull(element.expression, false)})`;
  if (value === null) return operator === 'eq' ? fragment`not ${some}` : some;
  const compared = compareScalar(comparison, element, scope.dialect);
  if (!compared) return null;
  const found = fragment`exists (select 1 from ${from} and ${compared})`;
  return operator === 'ne' ? fragment`not ${some} or ${found}` : found;
}

function compilePresence(path: AttributePath, scope: Scope): Fragment | null {
  const scalar =
    path.subAttribute || scope.element ? scalarOf(path, scope) : presenceOf(path, scope);
  if (scalar) return isNull(scalar.expression, false);
  const elements = elementsOf(path, scope);
  if (!elements) return null;
  if (!path.subAttribute) return fragment`exists (select 1 from ${elements.from})`;
  const element = elements.scalarOf(path);
  if (!element) return null;
  return fragment`exists (select 1 from ${elements.from} and ${isNull(element.expression, false)})`;
}

function compileValuePath(
  { path, filter }: Extract<Filter, { kind: 'valuePath' }>,
  scope: Scope,
): CompiledFilter {
  const elements = elementsOf(path, scope);
  if (!elements) return NOTHING;
  const inner = compile(filter, { ...scope, element: elements.scalarOf });
  if (!inner.condition) return NOTHING;
  const condition = fragment`exists (select 1 from ${elements.from} and (${inner.condition}))`;
  return { condition, isExact: inner.isExact };
}

function isNull(expression: Fragment, expected: boolean): Fragment {
  return expected ? fragment`${expression} is null` : fragment`${expression} is not null`;
}

/** The one value that a path compares; null when it may have several, or is not expressible. */
function scalarOf(path: AttributePath, scope: Scope): Scalar | null {
  if (scope.element) return scope.element(path);
  const column = scope.table.columns[printPath(path)];
  if (column) return column;
  const definition = comparedAttribute(path);
  if (!definition || path.attribute.multiValued) return null;
  if (!isStored(path, scope) || !isText(definition)) return null;
  const { attribute, subAttribute } = path;
  const { dialect } = scope;
  if (attribute.type !== 'complex')
    return text(textAt(objectOf(path, dialect), attribute.name, dialect));
  const name = subAttribute?.name ?? 'value';
  return text(textAt(jsonAt(objectOf(path, dialect), attribute.name, dialect), name, dialect));
}

/** The value whose absence is that of an attribute with one value, which may be complex. */
function presenceOf(path: AttributePath, scope: Scope): Scalar | null {
  const { attribute } = path;
  if (attribute.type !== 'complex') return scalarOf(path, scope);
  if (attribute.multiValued || !isStored(path, scope)) return null;
  return text(jsonAt(objectOf(path, scope.dialect), attribute.name, scope.dialect));
}

/** A value that sorts rows. */
export interface SortExpression {
  readonly expression: Fragment;
  /** Whether every row has a value. */
  readonly isRequired: boolean;
  /** Whether an index has the rows in this order. */
  readonly isOrdered: boolean;
}

/**
 * The value that sorts the row `r`, as `sortValue` chooses it; null when the attribute sorts nothing: `groups` and
 * `members`, and complex attributes without `value`.
 */
export function sortExpression(
  path: AttributePath,
  table: SearchTable,
  dialect: SqlDialect,
): SortExpression | null {
  const scope = { table, dialect, element: null };
  const collation = rawFragment(dialect === 'sqlite' ? '' : ' collate "C"');
  const scalar = scalarOf(path, scope);
  if (scalar) {
    const { values, isRequired = false, isOrdered = false } = scalar;
    const isText = values === 'text';
    const expression = isText ? fragment`${scalar.expression}${collation}` : scalar.expression;
    return { expression, isRequired, isOrdered };
  }
  if (!path.attribute.multiValued || !isStored(path, scope)) return null;
  const element = elementScalar(path, dialect);
  if (!element) return null;
  const isPrimary =
    path.attribute.type === 'complex'
      ? fragment`(${textAt(rawFragment('e.value'), 'primary', dialect)} = 'true') is true desc,`
      : rawFragment('');
  const array = jsonAt(objectOf(path, dialect), path.attribute.name, dialect);
  const expression = fragment`(select ${element.expression} from ${elementRows(array, dialect)}
    order by ${isPrimary} e.key limit 1)${collation}`;
  return { expression, isRequired: false, isOrdered: false };
}

/** The elements of a multi-valued attribute; null when it has one value, or is not expressible. */
function elementsOf(path: AttributePath, scope: Scope): Elements | null {
  if (scope.element || !path.attribute.multiValued) return null;
  const relation = scope.table.relations[printPath({ ...path, subAttribute: null })];
  if (relation) {
    const scalarOf = ({ subAttribute }: AttributePath) => {
      const expression = relation.columns[subAttribute?.name ?? 'value'];
      return expression ? text(expression) : null;
    };
    return { from: relation.from, scalarOf };
  }
  if (!isStored(path, scope)) return null;
  const array = jsonAt(objectOf(path, scope.dialect), path.attribute.name, scope.dialect);
  return {
    from: fragment`${elementRows(array, scope.dialect)} where true`,
    scalarOf: (inner) => elementScalar(inner, scope.dialect),
  };
}

function elementRows(array: Fragment, dialect: SqlDialect): Fragment {
  return dialect === 'sqlite'
    ? fragment`json_each(${array}) as e`
    : fragment`jsonb_array_elements(${array}) with ordinality as e (value, key)`;
}

function elementScalar(path: AttributePath, dialect: SqlDialect): Scalar | null {
  const definition = comparedAttribute(path);
  if (!definition || !isText(definition)) return null;
  const { attribute, subAttribute } = path;
  if (attribute.type === 'complex') {
    return text(textAt(rawFragment('e.value'), subAttribute?.name ?? 'value', dialect));
  }
  return text(rawFragment(dialect === 'sqlite' ? 'e.value' : "(e.value #>> '{}')"));
}

/** Whether the column `search` has the attribute; that of groups and members is not in it. */
function isStored({ extension, attribute }: AttributePath, { table }: Scope): boolean {
  if (!table.hasSearch) return false;
  return extension !== null || !NOT_STORED.has(attribute.name);
}

/** Attributes that are not part of the stored attributes; those of columns are found before. */
const NOT_STORED: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'groups', 'members']);

/** Whether the column `search` has the values of a definition as text. */
function isText({ type }: AttributeDefinition): boolean {
  return ['string', 'reference', 'binary', 'boolean'].includes(type);
}

function objectOf({ extension }: AttributePath, dialect: SqlDialect): Fragment {
  const object = rawFragment('r.search');
  return extension === null ? object : jsonAt(object, extension, dialect);
}

/** A member of a JSON object as JSON. */
function jsonAt(object: Fragment, name: string, dialect: SqlDialect): Fragment {
  return fragment`(${object} -> ${keyOf(name, dialect)})`;
}

/** A member of a JSON object as text. */
function textAt(object: Fragment, name: string, dialect: SqlDialect): Fragment {
  return fragment`(${object} ->> ${keyOf(name, dialect)})`;
}

/** SQLite takes names that begin with `$` for paths, so every name is given as one. */
function keyOf(name: string, dialect: SqlDialect): Fragment {
  return literal(dialect === 'sqlite' ? `$."${name}"` : name);
}

function text(expression: Fragment): Scalar {
  return { expression, values: 'text' };
}

/** Compares a value that is not NULL; null when the comparison is not expressible. */
function compareScalar(
  { path, operator, value }: Comparison,
  { expression, values }: Scalar,
  dialect: SqlDialect,
): Fragment | null {
  const definition = comparedAttribute(path);
  if (!definition || value === null) return null;
  if (values !== 'text') {
    const operation = ORDERS[operator];
    const number = values === 'time' ? Date.parse(String(value)) : Number(value);
    return operation ? fragment`${expression} ${operation} ${number}` : null;
  }
  const expected = comparedTexts(definition, operator, String(value));
  if (!expected.every(isStorable)) return null;
  const conditions = expected.map((each) => compareText(expression, operator, each, dialect));
  return fragment`(${joinConditions(conditions, operator === 'ne' ? 'and' : 'or')})`;
}

/**
 * A text in the form of the values it is compared with. Rows of earlier versions have mailboxes in another writing, of
 * which the letter case alone was folded.
 */
export function comparedTexts(
  definition: AttributeDefinition,
  operator: CompareOperator,
  value: string,
): readonly string[] {
  if (definition.type === 'boolean') return [value];
  const folded = foldExpected(definition, operator, value);
  const isEquality = operator === 'eq' || operator === 'ne';
  const former = definition.isMailbox && isEquality ? foldCase(value) : folded;
  return former === folded ? [folded] : [folded, former];
}

/** Whether both databases take a text as a parameter. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

const ORDERS: Readonly<Partial<Record<CompareOperator, Fragment>>> = {
  eq: rawFragment('='),
  ne: rawFragment('<>'),
  gt: rawFragment('>'),
  ge: rawFragment('>='),
  lt: rawFragment('<'),
  le: rawFragment('<='),
};

function compareText(
  expression: Fragment,
  operator: CompareOperator,
  expected: string,
  dialect: SqlDialect,
): Fragment {
  const isSqlite = dialect === 'sqlite';
  const length = [...expected].length;
  switch (operator) {
    case 'eq':
    case 'ne':
      return fragment`${expression} ${ORDERS[operator] as Fragment} ${expected}`;
    case 'co':
      if (length === 0) return isNull(expression, false);
      return isSqlite
        ? fragment`instr(${expression}, ${expected}) > 0`
        : fragment`strpos(${expression}, ${expected}) > 0`;
    case 'sw':
      return fragment`substr(${expression}, 1, ${length}) = ${expected}`;
    case 'ew':
      if (length === 0) return isNull(expression, false);
      return isSqlite
        ? fragment`substr(${expression}, ${-length}) = ${expected}`
        : fragment`right(${expression}, ${length}) = ${expected}`;
    default: {
      const operation = ORDERS[operator] as Fragment;
      // The order of bytes, which is that of code points; SQLite's default.
      const collation = rawFragment(isSqlite ? '' : ' collate "C"');
      return fragment`${expression}${collation} ${operation} ${expected}`;
    }
  }
}
