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

/** An estimate from the lengths of what was sent and passed on. */
export function estimateUsage(inputBytes: number, outputBytes: number): TokenUsage {
  return {
    input: Math.ceil(inputBytes / BYTES_PER_TOKEN),
    output: Math.ceil(outputBytes / BYTES_PER_TOKEN),
  };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function countOf(usage: Members, names: readonly string[]): number | undefined {
  const value = names.map((name) => usage[name]).find((each) => typeof each === 'number');
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
