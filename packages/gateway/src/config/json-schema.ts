import { z } from 'zod';
import type { KeyPath } from './issues.ts';
import type { KeyFacts } from './key-kinds.ts';
import { configurationSchema } from './schema.ts';

/** A node of the JSON Schema of the configuration. */
export interface SchemaNode extends Partial<KeyFacts> {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | false;
  readonly items?: SchemaNode;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

let made: SchemaNode | undefined;

/** The JSON Schema of the configuration file (draft 2020-12), for editors and for documents. */
export function configurationJsonSchema(): SchemaNode {
  made ??= withoutEmptyDefaults(z.toJSONSchema(configurationSchema, { io: 'input' }) as SchemaNode);
  return made;
}

/** That a section may be left out is no value of it. */
function withoutEmptyDefaults(node: SchemaNode): SchemaNode {
  const { default: value, properties, additionalProperties, items, ...rest } = node;
  const isEmpty = node.type === 'object' && JSON.stringify(value) === '{}';
  return {
    ...rest,
    ...(value === undefined || isEmpty ? {} : { default: value }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, withoutEmptyDefaults(each)]),
      ),
    }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties: additionalProperties && withoutEmptyDefaults(additionalProperties),
        }),
    ...(items && { items: withoutEmptyDefaults(items) }),
  };
}

/** The node of a path; undefined where there is no such key. */
export function schemaAt(path: KeyPath): SchemaNode | undefined {
  let node: SchemaNode | undefined = configurationJsonSchema();
  for (const part of path) {
    if (node === undefined) return undefined;
    if (typeof part === 'number') node = node.items;
    else if (node.properties && Object.hasOwn(node.properties, part)) node = node.properties[part];
    else node = node.additionalProperties || undefined;
  }
  return node;
}

/** One key of the table: its path in words, such as `models.providers.<id>.enabled`. */
export interface DescribedKey {
  readonly path: string;
  readonly node: SchemaNode;
}

/** Every key with a value of its own, in the order of the table. */
export function describedKeys(): DescribedKey[] {
  return leavesOf('', configurationJsonSchema());
}

function leavesOf(path: string, node: SchemaNode): DescribedKey[] {
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (node.properties) {
    return Object.entries(node.properties).flatMap(([name, each]) => leavesOf(below(name), each));
  }
  const entry = node.additionalProperties || undefined;
  if (entry?.type === 'object') return leavesOf(below('<id>'), entry);
  if (node.items?.properties) return leavesOf(`${path}[]`, node.items);
  return [{ path, node }];
}

/** What a value must be, in words: `a whole number from 1 to 256`. */
export function expectationOf(node: SchemaNode): string {
  const { type, minimum, maximum, minItems, maxItems, items } = node;
  if (node.enum) return `one of ${node.enum.join(', ')}`;
  if (type === 'boolean') return 'true or false';
  if (items?.enum) return `a list of ${items.enum.join(', ')}`;
  if (type === 'array') {
    if (maxItems === undefined) return 'a list';
    return `a list of ${minItems === undefined ? 'at most' : `${minItems} to`} ${maxItems}`;
  }
  if (type === 'object') return 'a section of keys';
  if (type !== 'integer' && type !== 'number') return node['x-form'] ?? 'a text';
  const what = type === 'integer' ? 'a whole number' : 'a number';
  return `${what} from ${minimum} to ${maximum}`;
}
