/**
 * Whether a text has come through in what was sent or given: a body, the events of a stream, JSON within JSON. Texts
 * that come in parts are put together.
 */
export function hasArrived(raw: string, needle: string): boolean {
  return raw.includes(needle) || textsOf(raw).some((text) => text.includes(needle));
}

function textsOf(raw: string): string[] {
  const joined = new Map<string, string>();
  const add = (path: string, text: string) => joined.set(path, (joined.get(path) ?? '') + text);
  const values = raw.startsWith('{') || raw.startsWith('[') ? [raw] : dataOf(raw);
  for (const value of values) collect(parse(value), '', add);
  return [...joined.values()].flatMap((text) => {
    // What is no whole JSON may be read as far as it goes.
    const inner = [
      text.replace(/\\u([0-9a-f]{4})/gi, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    ];
    collect(parse(text), '', (_, each) => inner.push(each));
    return [text, ...inner];
  });
}

function dataOf(raw: string): string[] {
  return [...raw.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);
}

function collect(value: unknown, path: string, add: (path: string, text: string) => void): void {
  if (typeof value === 'string') add(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    add('names', `${name}\n`);
    collect(each, `${path}.${name}`, add);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
