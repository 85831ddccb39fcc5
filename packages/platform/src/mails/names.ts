import { toMailLine } from '@probity/core/internal';

/**
 * The name of an organization in a mail, in quotation marks and without anything that mail programs
 * turn into a link, since its owner may have chosen it for a stranger's mailbox.
 */
export function toMailName(name: string): string {
  const text = toMailLine(name).replace(/["\u201c\u201d]/g, "'");
  return `"${text.replace(/[./:@]+(?=\S)/g, ' ')}"`;
}
