import { z } from 'zod';

/** JSON of any shape. */
export type Json = Record<string, unknown>;

/** Named components of a document, collected while its operations are generated. */
export interface Components {
  /** The schema in OpenAPI 3.1; named schemas within it become references. */
  toSchema(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** Returns a reference to the component of this name, which is created at first use. */
  refer(kind: ComponentKind, name: string, make: () => Json): Json;
  /** All components by kind and name, in alphabetical order. */
  toJson(): Json;
}

/** Kinds of components that operations refer to. */
type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'headers';

/** Creates the components of one document. */
export function createComponents(): Components {
  const kinds = new Map<ComponentKind, Map<string, Json>>();
  const partsOf = (kind: ComponentKind) => {
    const parts = kinds.get(kind) ?? new Map<string, Json>();
    kinds.set(kind, parts);
    return parts;
  };

  /** @throws Error when two schemas share a name, or a schema differs between input and output */
  function addSchema(name: string, schema: Json): void {
    const parts = partsOf('schemas');
    const known = parts.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(
        `Two schemas are named ${name}, or one differs between requests and responses; ` +
          'give each a different name.',
      );
    }
    parts.set(name, schema);
  }

  return {
    toSchema(schema, io) {
      const { $schema: _, $defs = {}, ...rest } = toDocumented(schema, io, COMPONENTS);
      for (const [name, each] of Object.entries($defs as Record<string, Json>)) {
        const { id: __, ...definition } = each;
        addSchema(name, definition);
      }
      return rest;
    },
    refer(kind, name, make) {
      const parts = partsOf(kind);
      if (!parts.has(name)) parts.set(name, make());
      return { $ref: `#/components/${kind}/${name}` };
    },
    toJson: () =>
      Object.fromEntries(
        [...kinds].sort().map(([kind, parts]) => [kind, Object.fromEntries([...parts].sort())]),
      ),
  };
}

/**
 * The JSON Schema 2020-12 of data that clients receive, as a document of its own: named schemas are in
 * `$defs`. Like those of responses in OpenAPI it permits members that later versions add.
 */
export function toJsonSchema(schema: z.ZodType): Json {
  return toDocumented(schema, 'output', DEFINITIONS);
}

/** Whether schemas describe what clients may send or what they receive. */
type Direction = 'input' | 'output';

/** Where Zod keeps named schemas. */
const DEFINITIONS = '#/$defs/';

/** Where OpenAPI keeps them. */
const COMPONENTS = '#/components/schemas/';

/** The JSON Schema without what says nothing to its readers, with named schemas in `place`. */
function toDocumented(schema: z.ZodType, io: Direction, place: string): Json {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return withoutNoise(json, io, place) as Json;
}

function withoutNoise(value: unknown, io: Direction, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNoise(each, io, place));
  if (typeof value !== 'object' || value === null) return value;
  const schema = withNullType(value as Json);
  const entries = Object.entries(schema)
    .filter(([key, member]) => !isNoise(key, member, schema, io))
    .map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace(DEFINITIONS, place)
        : withoutNoise(member, io, place),
    ]);
  return Object.fromEntries(entries);
}

/** Zod describes a nullable text by an alternative, JSON Schema by a second type. */
function withNullType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1].type !== 'null') return schema;
  const { type, ...facts } = anyOf[0] as Json;
  const isPlain = typeof type === 'string' && !('enum' in facts) && !('const' in facts);
  return isPlain ? { type: [type, 'null'], ...facts, ...rest } : schema;
}

/** Formats that a pattern of Zod repeats in hundreds of characters. */
const TIME_FORMATS: readonly unknown[] = ['date-time', 'date'];

function isNoise(key: string, member: unknown, schema: Json, io: Direction): boolean {
  if (isRefused(member)) return true;
  switch (key) {
    case 'pattern':
      return member === undefined || TIME_FORMATS.includes(schema.format);
    case 'minimum':
      return member === Number.MIN_SAFE_INTEGER;
    case 'maximum':
      return member === Number.MAX_SAFE_INTEGER;
    case 'additionalProperties':
      // Later versions may add members to responses.
      return member === false && io === 'output';
    default:
      return false;
  }
}

/** Whether no value is valid: a member that is declared only for the message of its error. */
function isRefused(member: unknown): boolean {
  const isObject = typeof member === 'object' && member !== null;
  return isObject && 'not' in member && JSON.stringify(member.not) === '{}';
}
