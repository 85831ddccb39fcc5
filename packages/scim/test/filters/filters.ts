import fc from 'fast-check';
import type {
  AttributeDefinition,
  AttributePath,
  CompareOperator,
  Filter,
  JsonObject,
  JsonValue,
  ResourceTypeDefinition,
} from '../../src/index.ts';
import { COMMON_ATTRIBUTES } from '../../src/schemas/common.ts';

const TEXT: readonly CompareOperator[] = ['co', 'sw', 'ew'];
const ORDER: readonly CompareOperator[] = ['gt', 'ge', 'lt', 'le'];

/** Plain objects, so that they are deeply equal to those of programs. */
function record<T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<T> {
  return fc.record<T>(members, { noNullPrototype: true });
}

/** Texts that meet often, also within each other, in several cases and with characters of filters. */
const texts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'AB', 'b"a', 'ς', 'Σ', 'ΑΣ', 'é', 'É', '\u{1F600}', '\uffee'),
  fc.constantFrom('%', '_', '\\', ')', '] or (', 'work', 'Work', 'home'),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\0')),
);
const times = fc
  .date({ min: new Date('2011-05-13T00:00:00Z'), max: new Date('2011-05-13T00:00:00.005Z') })
  .filter((date) => !Number.isNaN(date.getTime()))
  .map((date) => date.toISOString());

/** Values of an attribute. */
function valuesOf({ type }: AttributeDefinition): fc.Arbitrary<string | boolean> {
  if (type === 'boolean') return fc.boolean();
  return type === 'dateTime' ? times : texts;
}

/** Every path that filters may compare: attributes, sub-attributes, those of extensions. */
export function pathsOf(type: ResourceTypeDefinition): readonly AttributePath[] {
  const levels = [
    { extension: null, attributes: [...type.schema.attributes, ...COMMON_ATTRIBUTES] },
    ...type.extensions.map(({ schema }) => ({
      extension: schema.id,
      attributes: schema.attributes,
    })),
  ];
  return levels.flatMap(({ extension, attributes }) =>
    attributes
      .filter(({ returned }) => returned !== 'never')
      .flatMap((attribute) => [
        { extension, attribute, subAttribute: null },
        ...(attribute.subAttributes ?? []).map((subAttribute) => ({
          extension,
          attribute,
          subAttribute,
        })),
      ]),
  );
}

/** The definition of the values that a path compares. */
export function definitionOf({
  attribute,
  subAttribute,
}: AttributePath): AttributeDefinition | null {
  if (subAttribute ?? attribute.type !== 'complex') return subAttribute ?? attribute;
  return attribute.subAttributes?.find(({ name }) => name === 'value') ?? null;
}

/** Comparisons and `pr` of one of the paths. */
function terms(paths: readonly AttributePath[]): fc.Arbitrary<Filter> {
  const compared = paths.filter((path) => definitionOf(path) !== null);
  const present = fc.constantFrom(...paths).map((path): Filter => ({ kind: 'present', path }));
  const comparisons = fc.constantFrom(...compared).chain(comparisonsOf);
  return fc.oneof({ weight: 1, arbitrary: present }, { weight: 4, arbitrary: comparisons });
}

/** Comparisons of a path by every operator that its type has. */
export function comparisonsOf(
  path: AttributePath,
): fc.Arbitrary<Extract<Filter, { kind: 'compare' }>> {
  const definition = definitionOf(path) as AttributeDefinition;
  const ordered = definition.type !== 'boolean' && definition.type !== 'binary';
  const operators: CompareOperator[] = ['eq', 'ne', ...(ordered ? ORDER : [])];
  if (definition.type !== 'boolean' && definition.type !== 'dateTime') operators.push(...TEXT);
  const withValue = record({
    kind: fc.constant('compare' as const),
    path: fc.constant(path),
    operator: fc.constantFrom(...operators),
    value: valuesOf(definition),
  });
  const withNull = record({
    kind: fc.constant('compare' as const),
    path: fc.constant(path),
    operator: fc.constantFrom('eq' as const, 'ne' as const),
    value: fc.constant(null),
  });
  return fc.oneof({ weight: 6, arbitrary: withValue }, { weight: 1, arbitrary: withNull });
}

/** Filters joined of others to a small depth. */
function joined(leaves: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> {
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaves,
      record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        filters: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
      record({ kind: fc.constant('not' as const), filter: tie('filter') }),
    ),
  })).filter;
}

/** Value paths of the attributes that have several values. */
function valuePaths(type: ResourceTypeDefinition): fc.Arbitrary<Filter> {
  const paths = pathsOf(type);
  const outer = paths.filter((path) => !path.subAttribute && path.attribute.multiValued);
  return fc.constantFrom(...outer).chain((path) => {
    const within = paths.filter(
      (one) =>
        one.attribute === path.attribute && (one.subAttribute || path.attribute.type !== 'complex'),
    );
    const filter = joined(terms(within));
    return record({ kind: fc.constant('valuePath' as const), path: fc.constant(path), filter });
  });
}

/** Filters of a resource type, at most 100 terms. */
export function filtersOf(type: ResourceTypeDefinition): fc.Arbitrary<Filter> {
  const leaves = fc.oneof(
    { weight: 3, arbitrary: terms(pathsOf(type)) },
    { weight: 1, arbitrary: valuePaths(type) },
  );
  return joined(leaves);
}

/** Resources in canonical form, with values that meet those of the filters. */
export function bodiesOf(type: ResourceTypeDefinition): fc.Arbitrary<JsonObject> {
  const own = objectsOf(
    [...type.schema.attributes, ...COMMON_ATTRIBUTES].filter(
      ({ returned }) => returned !== 'never',
    ),
  );
  const extensions = type.extensions.map(
    ({ schema }) => [schema.id, objectsOf(schema.attributes)] as const,
  );
  return fc
    .tuple(
      own,
      fc.record(Object.fromEntries(extensions), { requiredKeys: [], noNullPrototype: true }),
    )
    .map(([body, extended]) => ({ ...body, ...extended }) as JsonObject);
}

function objectsOf(attributes: readonly AttributeDefinition[]): fc.Arbitrary<JsonObject> {
  const members = attributes.map((attribute) => [attribute.name, jsonOf(attribute)] as const);
  return fc.record(Object.fromEntries(members), {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>;
}

function jsonOf(attribute: AttributeDefinition): fc.Arbitrary<JsonValue> {
  const single: fc.Arbitrary<JsonValue> = attribute.subAttributes
    ? objectsOf(attribute.subAttributes).filter((value) => Object.keys(value).length > 0)
    : valuesOf(attribute);
  return attribute.multiValued ? fc.array(single, { maxLength: 3 }) : single;
}
