import type { z } from 'zod';
import type { Issue, KeyPath } from './issues.ts';
import { errorAt } from './issues.ts';
import type { SchemaNode } from './json-schema.ts';
import { configurationJsonSchema, expectationOf, schemaAt } from './json-schema.ts';
import { meantKey } from './misplaced-keys.ts';
import type { YamlTree } from './yaml-tree.ts';

/** What `didYouMean` of the pipeline does; loaded where a key is unknown. */
export type Guess = (given: string, known: readonly string[]) => string;

/** Makes of what the schema found the errors that a person reads. */
export function toIssues(
  found: readonly z.core.$ZodIssue[],
  tree: YamlTree,
  guess: Guess,
): Issue[] {
  return found.flatMap((issue) => {
    const path = issue.path as KeyPath;
    if (issue.code === 'unrecognized_keys') {
      const held = issue.input as Readonly<Record<string, unknown>> | undefined;
      return issue.keys.map((name) => unknownKey([...path, name], held?.[name], tree, guess));
    }
    if (issue.code === 'invalid_key') {
      const [{ message } = { message: 'expected another name' }] = issue.issues;
      const got = JSON.stringify(String(path.at(-1)).slice(0, 60));
      return [errorAt(tree.keyPlaceOf(path), path, `${message}; got ${got}`)];
    }
    if (!tree.has(path)) return [errorAt(tree.placeOf(path), path, 'the key is missing')];
    return [errorAt(tree.placeOf(path), path, messageOf(issue, path, tree, guess))];
  });
}

function unknownKey(path: KeyPath, value: unknown, tree: YamlTree, guess: Guess): Issue {
  const name = String(path.at(-1));
  const known = Object.keys(schemaAt(path.slice(0, -1))?.properties ?? {});
  const sections = Object.keys(configurationJsonSchema().properties ?? {});
  const isElsewhere = path.length > 1 && sections.includes(name);
  const hints = () => [
    // A section in the wrong place has the very name of another key.
    path.length === 1 ? meantKey(path, value) : '',
    guess(name, known),
    meantKey(path, value),
    known.length === 0 ? '' : ` The keys here are ${known.join(', ')}.`,
  ];
  const hint = isElsewhere
    ? ` (${name} is a key of the top level)`
    : (hints().find((each) => each !== '') ?? '');
  return errorAt(tree.keyPlaceOf(path), path, `unknown key.${hint}`);
}

function messageOf(issue: z.core.$ZodIssue, path: KeyPath, tree: YamlTree, guess: Guess): string {
  const node = schemaAt(path);
  const expected =
    issue.code === 'custom' ? issue.message : `expected ${node ? expectationOf(node) : 'a value'}`;
  const { input } = issue;
  const near = node?.enum && typeof input === 'string' ? guess(input, node.enum) : '';
  const hint = near === '' ? hintOf(node, input, path) : `.${near}`;
  return `${expected}; got ${shown(path, tree, input)}${hint}`;
}

function shown(path: KeyPath, tree: YamlTree, value: unknown): string {
  const [variable] = tree.variablesAt(path);
  if (variable !== undefined) {
    return value === '' ? `$\{${variable}}, which is empty` : `the value of $\{${variable}}`;
  }
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'keys';
  if (schemaAt(path)?.['x-secret'])
    return typeof value === 'string' ? 'another text' : `a ${typeof value}`;
  // Text of JSON has no infinite numbers.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

/** A remedy for a value of another form, or for a mistake that YAML invites. */
function hintOf(node: SchemaNode | undefined, value: unknown, path: KeyPath): string {
  const { type, properties, items } = node ?? {};
  if (type === 'object' && path[0] === 'models' && path[1] === 'providers') {
    if (path.length === 4)
      return " (write each model as NAME: {enabled: true}, or '*': {enabled: true} for all)";
    if (path.length === 5) return ' (write {enabled: true})';
  }
  const entry = type === 'array' ? items?.properties : properties;
  if (entry?.name && entry.enabled) {
    const name = typeof value === 'string' ? value : 'NAME';
    return ` (write ${type === 'array' ? '- ' : ''}{name: ${name}, enabled: true})`;
  }
  if (type === 'array' && isScalar(value)) return ' (write a list, with - before each entry)';
  const members = Object.values(properties ?? {});
  if (members.length > 0 && members.every((each) => each.type === 'boolean')) {
    return ' (write each as NAME: true)';
  }
  if (typeof value !== 'string') return '';
  if (type === 'boolean' && /^(?:true|false)$/i.test(value))
    return ' (write it without quotes, in small letters)';
  if (type === 'boolean' && /^(?:yes|no|on|off)$/i.test(value)) return ' (write true or false)';
  if ((type === 'integer' || type === 'number') && /^[\d.]+$/.test(value)) {
    return ' (write it without quotes)';
  }
  return '';
}
