import { isUtf8 } from 'node:buffer';
import type { Issue } from './issues.ts';
import { errorAt, START } from './issues.ts';

/** Largest configuration file in bytes. */
export const MAX_FILE_BYTES = 1_048_576;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/u;

/** The text of a file, or what is wrong with its bytes. */
export function toSourceText(bytes: Uint8Array): { text: string } | { issue: Issue } {
  if (bytes.length > MAX_FILE_BYTES) {
    const message = `the file has ${bytes.length} bytes; at most ${MAX_FILE_BYTES} are read`;
    return { issue: errorAt(START, [], message) };
  }
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe)) {
    return { issue: errorAt(START, [], 'the file is UTF-16; write it in UTF-8') };
  }
  if (!isUtf8(bytes)) return { issue: badEncoding(bytes) };
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden === null) return { text };
  const before = text.slice(0, forbidden.index).split('\n');
  const code = (forbidden[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  const place = { line: before.length, column: (before.at(-1) as string).length + 1 };
  return { issue: errorAt(place, [], `the control character U+${code} is not allowed`) };
}

function badEncoding(bytes: Uint8Array): Issue {
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) {
      return errorAt({ line, column: 1 }, [], 'the line is not valid UTF-8');
    }
    start = end + 1;
  }
}
