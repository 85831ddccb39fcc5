import type { EventRecord } from '@probity/core';

/** The longest text of a section (Slack, "Section block"). */
const MAX_SECTION_LENGTH = 3_000;
/** The longest fallback text that Slack recommends (Slack, "chat.postMessage"). */
const MAX_TEXT_LENGTH = 4_000;
/** Sections with members of the data; with the heading and the last line far below Slack's 50 blocks. */
const MAX_SECTIONS = 8;
/** People read the message, and a large event would take long to write in full. */
const MAX_MEMBERS = 200;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 1_000;

/** Slack's control characters: `<!channel>` would call everybody (Slack, "Formatting text"). */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** A value in several lines could pass for other members. */
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * The request body for an event as a message of Slack: `text` for notifications, and `blocks` with the members of the
 * data, one a line. A text too long for Slack is cut off.
 */
export function toSlackMessage({ id, type, createdAt, data, isTest }: EventRecord): string {
  const members: Array<[name: string, value: unknown]> = Object.entries(data);
  const shown = members
    .slice(0, MAX_MEMBERS)
    .map(([name, value]) => [name, toText(value)] as const);
  const sections = toSections(
    shown.map(
      ([name, text]) =>
        `*${toMarkdown(name, MAX_NAME_LENGTH)}:* ${toMarkdown(text, MAX_VALUE_LENGTH)}`,
    ),
  );
  const leftOut = members.length - sections.flat().length;
  const more = leftOut > 0 ? `${leftOut} more in the event · ` : '';
  // People read it, who do not see the header of a test.
  const heading = isTest ? `Test: ${type}` : type;
  const texts = [
    `*${toMarkdown(heading, MAX_SECTION_LENGTH - 2)}*`,
    ...sections.map((lines) => lines.join('\n')),
    `${more}${toMarkdown(id, MAX_NAME_LENGTH)} · ${createdAt.toISOString()}`,
  ];
  const { message } = Object.fromEntries(members);
  const all = shown.map(([name, text]) => `${name} ${text}`).join(', ');
  const summary = typeof message === 'string' ? message : all;
  const text = toMarkdown(summary === '' ? heading : `${heading}: ${summary}`, MAX_TEXT_LENGTH);
  return JSON.stringify({ text, blocks: texts.map(toBlock) });
}

/** The first lines that the sections have room for, by section. */
function toSections(lines: readonly string[]): string[][] {
  const sections: string[][] = [];
  let length = MAX_SECTION_LENGTH;
  for (const line of lines) {
    length += 1 + line.length;
    if (length > MAX_SECTION_LENGTH) {
      if (sections.length === MAX_SECTIONS) break;
      sections.push([]);
      length = line.length;
    }
    sections.at(-1)?.push(line);
  }
  return sections;
}

function toBlock(text: string) {
  // Verbatim: names in the text are made neither links nor mentions.
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text in one line, escaped, and cut off between characters where it is longer than `maxLength`. */
function toMarkdown(text: string, maxLength: number): string {
  let kept = '';
  let shortened = '';
  for (const character of text.toWellFormed().replace(LINE_BREAKS, ' ')) {
    const escaped = ESCAPES[character] ?? character;
    if (kept.length + escaped.length > maxLength) return `${shortened}…`;
    kept += escaped;
    // It leaves room for the ellipsis.
    if (kept.length < maxLength) shortened = kept;
  }
  return kept;
}
