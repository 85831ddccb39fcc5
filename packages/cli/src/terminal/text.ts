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

/** `3 records`, `1 record`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
