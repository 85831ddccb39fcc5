import { createHash } from 'node:crypto';

/** A piece of HTML whose text is escaped already. */
export interface Html {
  readonly markup: string;
}

/** What a template may have in its gaps; text is escaped, null and undefined are left out. */
type Gap = Html | readonly Html[] | string | number | null | undefined;

/** Builds HTML from a template, escaping the text in its gaps. */
export function html(parts: TemplateStringsArray, ...gaps: readonly Gap[]): Html {
  const texts = parts.map((part, index) => part + markupOf(gaps[index]));
  return { markup: texts.join('') };
}

/** The page's own markup, such as its style sheet, which must not be escaped. */
export function trusted(markup: string): Html {
  return { markup };
}

/** Joins pieces, with text between them. */
export function joined(pieces: readonly Html[], separator: string): Html {
  return { markup: pieces.map(({ markup }) => markup).join(escapeHtml(separator)) };
}

function markupOf(gap: Gap): string {
  if (gap === null || gap === undefined) return '';
  if (typeof gap !== 'object') return escapeHtml(String(gap));
  return Array.isArray(gap) ? gap.map(markupOf).join('') : (gap as Html).markup;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, in an element or an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** A text of a document, in which backticks mark code. */
export function prose(text: string): Html {
  const pieces = text.split(/`([^`]+)`/);
  return joined(
    pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`)),
    '',
  );
}

/** The Content-Security-Policy of a page that runs no script and loads nothing but its style sheet. */
export function staticPagePolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
