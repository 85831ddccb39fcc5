import type { Steps } from './steps.ts';

/** An object or array that has not been closed. */
interface Open {
  /** Names of the members read so far; null for an array. */
  readonly names: Set<string> | null;
  /** Name or index of the value being read. */
  key: string;
}

/** Characters or strings between two steps. */
const STEP = 20_000;

/**
 * Path of the first duplicate member, such as `events.0.id`; null when names are unique in every
 * object.
 * @param text well-formed JSON
 */
export function* findRepeatedMember(text: string): Steps<string | null> {
  const path: Open[] = [];
  let string = '';
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    count += 1;
    if (count % STEP === 0) yield;
    const open = path.at(-1);
    switch (text[at]) {
      case '"': {
        const start = at;
        for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        string = text.slice(start, at + 1);
        break;
      }
      case '{':
        path.push({ names: new Set(), key: '' });
        break;
      case '[':
        path.push({ names: null, key: '0' });
        break;
      case '}':
      case ']':
        path.pop();
        break;
      case ',':
        if (open && !open.names) open.key = String(Number(open.key) + 1);
        break;
      case ':':
        if (!open?.names) break;
        open.key = JSON.parse(string) as string;
        if (open.names.has(open.key)) return path.map(({ key }) => key).join('.');
        open.names.add(open.key);
    }
  }
  return null;
}
