/**
 * Parses the labels that a list is narrowed to: `name:value`, several separated by commas. A comma or a backslash of
 * a label is written with a backslash before it, as is a colon of a name.
 * @returns null for text of another form
 */
export function parseLabelFilter(text: string): Array<[name: string, value: string]> | null {
  const pairs: Array<[string, string]> = [];
  for (const part of split(text, ',', Number.POSITIVE_INFINITY)) {
    const [name, value] = split(part, ':', 2);
    if (!name || value === undefined) return null;
    pairs.push([withoutEscapes(name), withoutEscapes(value)]);
  }
  return pairs;
}

/** The parts between separators that no backslash precedes, at most `limit`; the last has the rest. */
function split(text: string, separator: string, limit: number): string[] {
  const parts = [''];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === separator && parts.length < limit) {
      parts.push('');
      continue;
    }
    const last = parts.length - 1;
    parts[last] += character;
    if (character !== '\\') continue;
    index += 1;
    parts[last] += text.charAt(index);
  }
  return parts;
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(.)/gs, '$1');
}
