import type { SchemaNode } from './json-schema.ts';
import { configurationJsonSchema, expectationOf } from './json-schema.ts';

const WIDTH = 100;

/**
 * A configuration file with every key, its meaning and its default; keys without a default are commented
 * out. It is valid, and equals a configuration without any key.
 */
export function exampleFile(): string {
  const { properties = {} } = configurationJsonSchema();
  const sections = Object.entries(properties).filter(([, node]) => node.type === 'object');
  const head = [
    '# yaml-language-server: $schema=./gateway.schema.json',
    '# Every key of probity-gateway with its default. A key that is left out has it; $' +
      '{NAME} in a value',
    '# is the environment variable NAME.',
    '',
  ];
  return `${head.join('\n')}\n${sections.map(([name, node]) => linesOf(name, node, 0).join('\n')).join('\n\n')}\n`;
}

function linesOf(name: string, node: SchemaNode, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (node.properties) {
    const inner = Object.entries(node.properties).flatMap(([key, each]) =>
      linesOf(key, each, depth + 1),
    );
    return [...comment(node.description ?? '', indent), `${indent}${name}:`, ...inner];
  }
  if (node.additionalProperties) {
    return [...comment(node.description ?? '', indent), ...entryLines(name, node, indent)];
  }
  const about = comment(`${node.description} ${factsOf(node)}`, indent);
  if (name === 'stages') return [...about, ...stageLines(node, indent)];
  if (node.items?.properties) {
    const sample = itemLines(node.items.properties);
    return [...about, ...sample.map((line) => `${indent}# ${line}`), `${indent}${name}: []`];
  }
  if (node.default !== undefined) return [...about, `${indent}${name}: ${toYaml(node.default)}`];
  const value = node['x-secret'] ? `\${${name.toUpperCase()}}` : toYaml(sampleOf(node));
  return [...about, `${indent}# ${name}: ${value}`];
}

function factsOf(node: SchemaNode): string {
  const facts = [expectationOf(node)];
  const without = node['x-without'];
  if (without) facts.push(`without it: ${without}`);
  if (node['x-reload'] === 'R') facts.push('needs a restart');
  return `(${facts.join('; ')})`;
}

function sampleOf(node: SchemaNode): unknown {
  if (node['x-example'] !== undefined) return node['x-example'];
  if (node.type === 'boolean') return true;
  if (node.type === 'integer') return 1_000;
  return node.type === 'number' ? 0.8 : 'TEXT';
}

/** One member of a list of sections. */
function itemLines(properties: Readonly<Record<string, SchemaNode>>): string[] {
  return Object.entries(properties).map(
    ([name, each], at) => `${at === 0 ? '- ' : '  '}${name}: ${toYaml(sampleOf(each))}`,
  );
}

function stageLines({ default: stages }: SchemaNode, indent: string): string[] {
  const listed = stages as readonly { readonly name: string }[];
  const lines = listed.flatMap(({ name }) => [
    `${indent}  - name: ${name}`,
    `${indent}    enabled: true`,
  ]);
  return [`${indent}stages:`, ...lines];
}

/** Entries that are named by ids, such as providers: one of them as a comment. */
function entryLines(name: string, node: SchemaNode, indent: string): string[] {
  const entry = node.additionalProperties || {};
  const kind = name.replace(/s$/, '').toUpperCase();
  const inner = Object.entries(entry.properties ?? {}).flatMap(([key, each]) => {
    const below = each.additionalProperties || undefined;
    if (!below?.properties) return [`#     ${key}: ${sampleText(kind, key, each)}`];
    const lines = Object.entries(below.properties).map(
      ([member, value]) => `#         ${member}: ${sampleText(kind, member, value)}`,
    );
    return [`#     ${key}:`, '#       MODEL_ID:', ...lines];
  });
  const text = [`# ${name}:`, `#   ${kind}_ID:`, ...inner, `${name}: {}`];
  return text.map((line) => `${indent}${line}`);
}

function sampleText(kind: string, name: string, node: SchemaNode): string {
  if (node['x-secret']) return `\${${kind}_${name.toUpperCase()}}`;
  if (name === 'api_version') return '2025-01-31';
  return toYaml(node.default ?? sampleOf(node));
}

function toYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toYaml).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[\w./-]*[A-Za-z][\w./-]*$/.test(value) ? value : JSON.stringify(value);
}

function comment(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = `${indent}#`;
  for (const each of text.split(' ')) {
    if (line.length + each.length + 1 > WIDTH) {
      lines.push(line);
      line = `${indent}#`;
    }
    line += ` ${each}`;
  }
  return [...lines, line];
}
