import type { Output } from './output.ts';

const STYLES = { red: 31, yellow: 33, green: 32, faint: 2, bold: 1 } as const;

/** A color, or a weight of the type. */
export type Style = keyof typeof STYLES;

/** The text in a style where the output has colors. */
export function styled(text: string, style: Style, { hasColors }: Output): string {
  return hasColors ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** The text on one line, without characters that command the terminal that it is shown on. */
export function visible(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

/** The progress line's return to the beginning of the line, and the command that clears it. */
export const CLEAR_LINE = '\r\x1b[K';

/** What this program sends to a terminal besides texts, as expressions. */
const OWN = [0, ...Object.values(STYLES)].map((style) => `\x1b\\[${style}m`);

/** Those, and each character else that a terminal may take for a command, or for a change of direction. */
const COMMANDS = new RegExp(
  `(\r\x1b\\[K|${OWN.join('|')}|\r?\n|\t)|[\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]`,
  'gu',
);

/**
 * The text with no other commands to a terminal than colors and the clearing of the progress line: JSON and exports
 * have what servers answer, and JSON escapes no more than the first 32 characters.
 */
export function forTerminal(text: string): string {
  return text.replace(COMMANDS, (_, own?: string) => own ?? '\ufffd');
}

/** `3 records`, `1 record`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
