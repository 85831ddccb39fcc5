import type { SchemaNode } from './json-schema.ts';
import { describedKeys, expectationOf } from './json-schema.ts';
import type { ReloadClass } from './key-kinds.ts';

const RELOADS: Readonly<Record<ReloadClass, string>> = {
  L: 'at once',
  LR: 'rebuilt',
  R: 'restart',
};

/** The rows of the reference page: key, value, default, reload, meaning. */
export function referenceRows(): string[][] {
  return describedKeys().map(({ path, node }) => [
    code(path),
    expectationOf(node),
    defaultOf(node),
    RELOADS[node['x-reload'] ?? 'L'],
    node.description ?? '',
  ]);
}

function defaultOf(node: SchemaNode): string {
  if (node.default === undefined) return node['x-without'] ?? 'none';
  return code(JSON.stringify(node.default));
}

function code(text: string): string {
  return `\`${text}\``;
}
