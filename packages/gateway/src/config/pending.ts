import type { Issue, KeyPath } from './issues.ts';
import { warningAt } from './issues.ts';
import type { SchemaNode } from './json-schema.ts';
import { configurationJsonSchema } from './json-schema.ts';
import type { YamlTree } from './yaml-tree.ts';

const MESSAGE = 'has no effect in this release';

/** Keys that the file sets to another value than the default, and that have no effect yet. */
export function pendingIssues(value: unknown, tree: YamlTree): Issue[] {
  return findPending(value, configurationJsonSchema(), []).map((path) =>
    warningAt(tree.keyPlaceOf(path), path, MESSAGE),
  );
}

function findPending(value: unknown, node: SchemaNode, path: KeyPath): KeyPath[] {
  if (value === undefined) return [];
  if (node['x-pending'])
    return JSON.stringify(value) === JSON.stringify(node.default) ? [] : [path];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const below = node.properties?.[name] ?? (node.additionalProperties || undefined);
    return below ? findPending(each, below, [...path, name]) : [];
  });
}
