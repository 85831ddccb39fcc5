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
      const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
      const { $schema: _, $defs = {}, ...rest } = withReferences(json) as Json;
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

/** Zod keeps named schemas in `$defs`, OpenAPI in `components`. */
function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    key === '$ref' && typeof member === 'string'
      ? member.replace('#/$defs/', '#/components/schemas/')
      : withReferences(member),
  ]);
  return Object.fromEntries(entries);
}
