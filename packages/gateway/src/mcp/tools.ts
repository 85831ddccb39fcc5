import type { McpServerConfig } from '../config/mcp-keys.ts';

/** Says whether a caller may see and call a tool. */
export type ToolTest = (name: unknown) => boolean;

const EVERY_KEY = '*';

/**
 * The tools of an API key: those of its name and those of every key. With a list, a key that is not on it has
 * none.
 *
 * @param keyName the name of the key
 */
export function createToolTest(
  { allowed_tools: lists }: Pick<McpServerConfig, 'allowed_tools'>,
  keyName: string,
): ToolTest {
  if (lists === undefined) return () => true;
  const own = Object.hasOwn(lists, keyName) ? lists[keyName] : [];
  const patterns = [...(own ?? []), ...(lists[EVERY_KEY] ?? [])];
  return (name) => typeof name === 'string' && patterns.some((pattern) => matches(pattern, name));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
