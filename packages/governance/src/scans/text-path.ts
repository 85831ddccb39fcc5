/** Names that stand behind a dot. */
const PLAIN_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Where a text stands in a list, as in JavaScript: `[2].content[0].text`, and in brackets and quotes what is no plain
 * name: `[3].tool_calls[0].function.arguments["home address"]`.
 */
export function toTextPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      return PLAIN_NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join('');
}
