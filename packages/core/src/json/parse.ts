import { ProbityError, validationError } from '../errors.ts';
import { countMembers, findRepeatedMember } from './members.ts';

/** Values nested deeper than this are rejected: the API has none, and recursion is bounded. */
export const MAX_JSON_DEPTH = 64;

/** Bodies with more values than this are rejected: the API has none. */
export const MAX_JSON_VALUES = 500_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses a request body strictly: valid UTF-8, JSON, at most 64 levels deep and 500,000 values, no
 * U+0000, no lone surrogates, no `__proto__` members, no duplicate members.
 * @throws ProbityError `invalid_request`; `details` names the field when a value is at fault.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const value = parse(text);
  const members = checkJsonValue(value);
  // The parsed value has fewer members than the text, so some names are duplicates.
  if (countMembers(bytes) > members) throw repeatedMember(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ProbityError('invalid_request', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = text.trim() === '' ? 'the body is empty' : positionOf(cause);
    throw new ProbityError('invalid_request', `The body is not valid JSON: ${reason}.`, { cause });
  }
}

/** Position of the syntax error, without the excerpt of the body in V8's message. */
function positionOf(cause: unknown): string {
  const message = String(cause);
  const match = /at position (\d+)/.exec(message);
  if (match) return `error at position ${match[1]}`;
  return message.includes('end of JSON') ? 'it ends too early' : 'it has an unexpected character';
}

interface Node {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Node | null;
  readonly depth: number;
}

/**
 * Checks a parsed value by the rules of {@link parseStrictJson}, except for repeated members.
 * @returns the total number of members of all objects
 * @throws ProbityError `invalid_request` that names the field
 */
export function checkJsonValue(root: unknown): number {
  // An explicit stack instead of recursion: hostile bodies are as deep as they are long.
  const stack: Node[] = [{ value: root, key: '', parent: null, depth: 0 }];
  let values = 0;
  let members = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (typeof node.value === 'string') {
      checkString(node.value, node);
    } else if (typeof node.value === 'object' && node.value !== null) {
      if (node.depth >= MAX_JSON_DEPTH) {
        throw new ProbityError(
          'invalid_request',
          `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`,
        );
      }
      const isArray = Array.isArray(node.value);
      const children = isArray ? (node.value as unknown[]) : Object.entries(node.value);
      values += children.length;
      if (!isArray) members += children.length;
      if (values > MAX_JSON_VALUES) {
        throw new ProbityError(
          'invalid_request',
          `The body holds more than ${MAX_JSON_VALUES} values.`,
        );
      }
      pushChildren(stack, node, children);
    }
  }
  return members;
}

function pushChildren(stack: Node[], parent: Node, children: readonly unknown[]): void {
  const depth = parent.depth + 1;
  if (Array.isArray(parent.value)) {
    children.forEach((value, index) => {
      stack.push({ value, key: String(index), parent, depth });
    });
    return;
  }
  for (const [key, value] of children as ReadonlyArray<[string, unknown]>) {
    const node = { value, key, parent, depth };
    checkString(key, node);
    if (key === '__proto__') throw refuse(node, 'is not an allowed member name');
    stack.push(node);
  }
}

function checkString(text: string, node: Node): void {
  if (text.includes('\0')) throw refuse(node, 'must not contain U+0000');
  if (!text.isWellFormed()) throw refuse(node, 'must not contain lone surrogates');
}

function repeatedMember(text: string): ProbityError {
  return refuseField(findRepeatedMember(text) ?? '', 'is given twice');
}

function refuse(node: Node, message: string): ProbityError {
  return refuseField(pathOf(node), message);
}

function refuseField(field: string, message: string): ProbityError {
  const { details, message: text } = validationError({ field, message });
  return new ProbityError('invalid_request', text, details ? { details } : {});
}

function pathOf(node: Node): string {
  const keys: string[] = [];
  for (let at: Node | null = node; at?.parent; at = at.parent) keys.unshift(at.key);
  return keys.join('.').toWellFormed().replaceAll('\0', '\uFFFD');
}
