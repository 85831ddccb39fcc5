import { usageFailure } from '../failure.ts';
import type { ExportedNode, ReadNode } from './chain.ts';

/** The longest line: a record of the largest import, with room to spare. */
const MAX_LINE_LENGTH = 33_554_432;

/**
 * The nodes of an export in JSON Lines, one at a time.
 * @param name of the file, for messages
 * @throws CommandFailure for what is no export, naming the line
 */
export async function* readNodes(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<ReadNode, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  let length = 0;
  let line = 0;
  const take = (text: string): ReadNode | null => {
    line += 1;
    const whole = parts.splice(0).join('') + text;
    length = 0;
    return whole.trim() === '' ? null : parseNode(whole, `${name}, line ${line}`);
  };
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (error) {
      throw usageFailure(`${name}, line ${line + 1}: the text is not UTF-8`, error);
    }
  };
  for await (const chunk of chunks) {
    const [last = '', ...ended] = decode(chunk).split('\n').reverse();
    for (const text of ended.reverse()) {
      const node = take(text);
      if (node) yield node;
    }
    parts.push(last);
    length += last.length;
    if (length > MAX_LINE_LENGTH) throw usageFailure(`${name}, line ${line + 1} is too long`);
  }
  const node = take(decode());
  if (node) yield node;
}

const TEXTS = [
  'previousHash',
  'hash',
  'id',
  'organizationId',
  'contentHash',
  'linksHash',
  'createdAt',
] as const;
const NODE_MEMBERS: readonly string[] = [
  ...TEXTS,
  'sequence',
  'amends',
  'idempotencyKey',
  'record',
];
const RECORD_TEXTS = ['salt', 'evidenceType', 'source', 'title', 'content'] as const;
const RECORD_MEMBERS: readonly string[] = [
  ...RECORD_TEXTS,
  'metadata',
  'occurredAt',
  'aiSystemId',
  'labels',
  'obligationIds',
];

function parseNode(text: string, place: string): ReadNode {
  const node = parseObject(text);
  const isNode =
    node !== null &&
    Number.isSafeInteger(node.sequence) &&
    TEXTS.every((name) => typeof node[name] === 'string') &&
    isTextOrNull(node.amends) &&
    isTextOrNull(node.idempotencyKey) &&
    (node.record === null || isRecord(node.record));
  if (isNode) return toReadNode(node as unknown as ExportedNode, text);
  throw usageFailure(
    `${place}: expected a node of the chain; the file is an export in JSON Lines with all records`,
  );
}

/** A number, a time or a text has several notations, and a member may stand twice, or be one that no hash covers. */
function toReadNode(node: ExportedNode, text: string): ReadNode {
  const { record, createdAt } = node;
  const isAsWritten =
    JSON.stringify(node) === text.replace(/\r$/, '') &&
    hasOnly(node, NODE_MEMBERS) &&
    (record === null || hasOnly(record, RECORD_MEMBERS)) &&
    [createdAt, record?.occurredAt ?? null].every(isTimeAsWritten);
  return { node, isAsWritten };
}

function hasOnly(value: object, members: readonly string[]): boolean {
  return Object.keys(value).every((name) => members.includes(name));
}

function isTimeAsWritten(time: string | null): boolean {
  if (time === null) return true;
  const milliseconds = Date.parse(time);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === time;
}

type Members = Readonly<Record<string, unknown>>;

function parseObject(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { metadata, occurredAt, aiSystemId, labels, obligationIds } = value;
  return (
    RECORD_TEXTS.every((name) => typeof value[name] === 'string') &&
    isObject(metadata) &&
    isTextOrNull(occurredAt) &&
    isTextOrNull(aiSystemId) &&
    isObject(labels) &&
    Array.isArray(obligationIds)
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
