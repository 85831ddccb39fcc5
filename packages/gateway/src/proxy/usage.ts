import type { Members, Steps } from '@probity/pipeline/protocols';
import { isStepDue, runInTurns } from '@probity/pipeline/protocols';

/** Tokens of a call, as the provider counts them. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

const INPUT = ['prompt_tokens', 'input_tokens'];
const OUTPUT = ['completion_tokens', 'output_tokens'];
const TOTAL = ['total_tokens'];

/** No call has more: what is larger is no count, and would spend the budgets of years. */
export const MOST_TOKENS = 1_000_000_000;

/**
 * The tokens that an answer, or an event of a streamed one, names; null where it names none. A total that is more than
 * the parts, as that of servers which leave reasoning out of them, counts.
 */
export function usageOf(value: Members): TokenUsage | null {
  const { usage, response, message } = value;
  const named = [
    usage,
    (response as Members | undefined)?.usage,
    (message as Members | undefined)?.usage,
  ];
  const found = named.find(isMembers);
  if (found === undefined) return null;
  const input = countOf(found, INPUT);
  const output = countOf(found, OUTPUT);
  const total = countOf(found, TOTAL);
  if (input === undefined && output === undefined && total === undefined) return null;
  // Embeddings name the input and the total, or the total alone.
  const asked = input ?? Math.max(0, (total ?? 0) - (output ?? 0));
  return { input: asked, output: Math.max(output ?? 0, (total ?? 0) - asked) };
}

/** The larger counts of both: later events of a stream name more. */
export function mergeUsage(held: TokenUsage | null, next: TokenUsage | null): TokenUsage | null {
  if (held === null || next === null) return held ?? next;
  return { input: Math.max(held.input, next.input), output: Math.max(held.output, next.output) };
}

/** Bytes of a token, about, where a provider does not count, or an answer broke off. */
const BYTES_PER_TOKEN = 4;

const TEXT_NAMES = 'content|text|delta|arguments|partial_json|thinking|refusal|reasoning\\w*';
const TEXT = new RegExp(`"(?:${TEXT_NAMES})":\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'g');
const TEXT_NAME = new RegExp(`^(?:${TEXT_NAMES})$`);

/** About how many bytes a model has written in an answer, without the JSON around its texts. */
export function textBytesIn(answer: Members): Promise<number> {
  return runInTurns(textBytesSteps(answer));
}

function* textBytesSteps(value: object): Steps<number> {
  let bytes = 0;
  for (const name in value) {
    if (isStepDue()) yield;
    const each: unknown = (value as Members)[name];
    if (typeof each === 'object' && each !== null) bytes += yield* textBytesSteps(each);
    else if (typeof each === 'string' && TEXT_NAME.test(name)) bytes += Buffer.byteLength(each);
  }
  return bytes;
}

/** The same for the JSON of an event. */
export function textBytesOf(json: string): number {
  let bytes = 0;
  for (const [, text = ''] of json.matchAll(TEXT)) bytes += Buffer.byteLength(text);
  return bytes;
}

/** An estimate of the tokens of a text. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** What an image or a file counts, whose bytes say nothing of its tokens. */
const MEDIA_TOKENS = 1_500;
const MEDIA_LETTERS = 2_048;
const BASE_64 = /^(?:data:[^,]{0,200},)?[\w+/=-]+$/;
/** Types of parts and items that are bytes, and the members that hold these. */
const MEDIA_TYPE = /image|audio|video|file|document|media|screenshot/i;
const MEDIA_MEMBER = /^(?:url|data|result|\w+_(?:url|data|json))$/;

/**
 * An estimate of the tokens of a request, by its texts: four bytes a token, with what stands between them. Bytes in
 * base 64 count as an image each where they are the bytes of an image or a file: a text of such letters is a text.
 */
export async function estimateInput(body: Members, bytes: number): Promise<number> {
  return runInTurns(estimateSteps(body, bytes));
}

function* estimateSteps(body: Members, bytes: number): Steps<number> {
  let tokens = 0;
  let left = bytes;
  const count = (value: string, name: string): void => {
    if (value.length < MEDIA_LETTERS || !MEDIA_MEMBER.test(name)) return;
    if (!BASE_64.test(value)) return;
    tokens += MEDIA_TOKENS;
    left -= value.length;
  };
  function* walk(value: object, name: string, isMedia: boolean): Steps<void> {
    // Arguments of a tool are read as text, whatever they call themselves.
    if (isMembers(value) && name === 'input') return;
    const isBytes = isMembers(value) ? isMediaType(value.type, isMedia) : isMedia;
    for (const member in value) {
      if (isStepDue()) yield;
      const each: unknown = (value as Members)[member];
      const called = isMembers(value) ? member : name;
      if (typeof each === 'object' && each !== null) yield* walk(each, called, isBytes);
      else if (isBytes && typeof each === 'string') count(each, called);
    }
  }
  if (bytes > MEDIA_LETTERS) {
    for (const each of Object.values(body)) {
      if (typeof each === 'object' && each !== null) yield* walk(each, '', false);
    }
  }
  return tokens + estimateTokens(left);
}

/** @param isInMedia whether what is around it is bytes: the source of a document may be a text */
function isMediaType(type: unknown, isInMedia: boolean): boolean {
  if (typeof type !== 'string' || type === 'base64') return isInMedia;
  return MEDIA_TYPE.test(type);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function countOf(usage: Members, names: readonly string[]): number | undefined {
  const value = names.map((name) => usage[name]).find((each) => typeof each === 'number');
  const isCount = typeof value === 'number' && value >= 0 && value <= MOST_TOKENS;
  return isCount ? Math.ceil(value) : undefined;
}
