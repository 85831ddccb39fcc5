import type { Members } from '@probity/pipeline/protocols';

/** Tokens of a call, as the provider counts them. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

const INPUT = ['prompt_tokens', 'input_tokens'];
const OUTPUT = ['completion_tokens', 'output_tokens'];

/** The tokens that an answer, or an event of a streamed one, names; null where it names none. */
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
  // Embeddings name the total alone.
  return { input: input ?? countOf(found, ['total_tokens']) ?? 0, output: output ?? 0 };
}

/** The larger counts of both: later events of a stream name more. */
export function mergeUsage(held: TokenUsage | null, next: TokenUsage | null): TokenUsage | null {
  if (held === null || next === null) return held ?? next;
  return { input: Math.max(held.input, next.input), output: Math.max(held.output, next.output) };
}

/** Bytes of a token, about, where a provider does not count, or an answer broke off. */
const BYTES_PER_TOKEN = 4;

const TEXT =
  /"(?:content|text|delta|arguments|partial_json|thinking|refusal|reasoning\w*)":\s*"((?:[^"\\]|\\.)*)"/g;

/** About how many bytes of text an event, or an answer, has: of what models write, and not of what stands around it. */
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

/**
 * An estimate of the tokens of a request, by its texts: four bytes a token, with what stands between them. Bytes in
 * base 64 count as an image each.
 */
export function estimateInput(body: Members, bytes: number): number {
  let tokens = 0;
  let left = bytes;
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length < MEDIA_LETTERS || !BASE_64.test(value)) return;
      tokens += MEDIA_TOKENS;
      left -= value.length;
    } else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) walk(each);
    }
  };
  if (bytes > MEDIA_LETTERS) walk(body);
  return tokens + estimateTokens(left);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function countOf(usage: Members, names: readonly string[]): number | undefined {
  const value = names.map((name) => usage[name]).find((each) => typeof each === 'number');
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
