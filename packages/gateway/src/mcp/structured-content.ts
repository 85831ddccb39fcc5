import { keepNumbers, writeJson } from '@probity/pipeline/protocols';
import type { Members } from './json-rpc.ts';
import { isMembers } from './json-rpc.ts';

/**
 * A list of tools without their output schemas: a client refuses a result whose redacted values no longer have the
 * pattern, the format, the length or the type of its schema, and validates nothing without one.
 */
export function withoutOutputSchemas(result: Members): Members {
  if (!Array.isArray(result.tools)) return result;
  const tools = result.tools.map((tool: unknown) => {
    if (!isMembers(tool) || !('outputSchema' in tool)) return tool;
    const { outputSchema: _, ...others } = tool;
    return keepNumbers(others, tool);
  });
  return keepNumbers({ ...result, tools }, result);
}

/**
 * A redacted result without its structured content where a number in it became a text, or a name was replaced: programs
 * that know the tool rely on both. Its text says the same.
 */
export function withFittingContent(given: Members, redacted: Members): Members {
  const { structuredContent, ...others } = redacted;
  if (hasSameTypes(given.structuredContent, structuredContent)) return redacted;
  const { content } = others;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const hasText = parts.some((part) => isMembers(part) && part.type === 'text');
  const text = { type: 'text', text: writeJson(structuredContent) };
  return keepNumbers(hasText ? others : { ...others, content: [...parts, text] }, redacted);
}

function hasSameTypes(given: unknown, redacted: unknown): boolean {
  if (Array.isArray(given) && Array.isArray(redacted)) {
    return given.every((each: unknown, index) => hasSameTypes(each, redacted[index]));
  }
  if (isMembers(given) && isMembers(redacted)) {
    return Object.entries(given).every(
      ([name, each]) => Object.hasOwn(redacted, name) && hasSameTypes(each, redacted[name]),
    );
  }
  return typeof given === typeof redacted;
}
