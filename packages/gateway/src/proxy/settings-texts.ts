import type { Members } from '@probity/pipeline/protocols';

/**
 * The texts of a request that are no messages: tools with their descriptions and parameters, schemas of answers,
 * predictions, metadata, whatever a later version of the interface has, and such members of messages.
 */
export interface SettingsTexts {
  readonly texts: readonly string[];
  /** The request with other texts in the same places. */
  replaced(texts: readonly string[], messages: readonly object[]): ReplacedSettings;
}

/** A request whose settings are replaced. */
interface ReplacedSettings {
  readonly members: Members;
  readonly messages: readonly object[];
}

type Visit = (text: string) => string;

/** Members of a message that are read as messages are, or are identifiers and words of the interface. */
const READ = new Set([
  ...['role', 'type', 'status', 'content', 'refusal', 'reasoning', 'reasoning_content'],
  ...['tool_calls', 'tool_call_id', 'function_call'],
]);

/**
 * @param left members of the body that are read as messages
 * @param messages the messages of the body
 */
export function settingsTextsOf(
  body: Members,
  left: readonly string[],
  messages: readonly object[],
): SettingsTexts {
  const rest = without(body, (name) => name === 'model' || left.includes(name));
  const further = messages.map(furtherOf);
  const texts: string[] = [];
  walk([rest, further], (text) => {
    texts.push(text);
    return text;
  });
  return {
    texts,
    replaced(given, checked) {
      let index = 0;
      const next = walk([rest, further], (text) => given[index++] ?? text);
      const [settings, members] = next as [Members, readonly Members[]];
      return {
        members: { ...body, ...settings },
        messages: checked.map((message, at) => ({ ...message, ...members[at] })),
      };
    },
  };
}

/** Of an item without a role, every member is read where its type is known, and it is unscanned otherwise. */
function furtherOf(message: object): Members {
  return 'role' in message ? without(message as Members, (name) => READ.has(name)) : {};
}

function without(members: Members, isLeft: (name: string) => boolean): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !isLeft(name)));
}

/** Numbers are left out: those of settings and schemas, such as 2147483647, look like telephone numbers. */
function walk(value: unknown, visit: Visit): unknown {
  if (typeof value === 'string') return visit(value);
  if (Array.isArray(value)) return value.map((each: unknown) => walk(each, visit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [visit(name), walk(each, visit)]),
  );
}
