import { v5 } from 'uuid';

/** The release of OSCAL that the documents are of (NIST, https://pages.nist.gov/OSCAL). */
export const OSCAL_VERSION = '1.2.2';

/** The namespace of properties and parts that OSCAL does not define. */
export const OSCAL_NAMESPACE = 'urn:x-probity:oscal';

/** The namespace of the UUIDs: random, and never changed. */
const UUIDS = '6f5b7a1c-8d0e-4a57-9a7e-0c2f3b9d61e4';

/** A property of OSCAL. */
export interface OscalProperty {
  readonly name: string;
  readonly ns?: string;
  readonly value: string;
  readonly class?: string;
}

/** A UUID (version 5) of a kind of object, the same for the same names: OSCAL takes no version 7. */
export function oscalUuid(kind: string, ...names: readonly string[]): string {
  return v5(JSON.stringify([kind, ...names]), UUIDS);
}

/** The id of the objective of an obligation in the catalog: that evidence which supports it is on record. */
export function objectiveIdOf(obligationId: string): string {
  return `${obligationId}_obj`;
}

/** A text as one line of OSCAL, which is not empty and neither begins nor ends with white space. */
export function toLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim() || '-';
}

/** What begins markup in Markdown or HTML, or an insertion of OSCAL; `_` does not within a word. */
const MARKUP = /[\\`*[\]<>{}~^]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|(?<=^[ \t]*)#/gmu;

/**
 * A text as markup of OSCAL, which is Markdown, that shows it as it is: names, labels and texts of records come from
 * elsewhere, and could bring links, images and HTML into a report.
 */
export function toMarkup(text: string): string {
  return text.replace(MARKUP, (found) => `\\${found}`);
}

/** A name as a token of OSCAL: letters, digits, `.`, `-` and `_`, not beginning with a digit. */
export function toToken(name: string): string {
  const token = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  return /^[\p{L}_]/u.test(token) ? token : `_${token}`;
}

/** Properties of our namespace; those without a value are left out. */
export function toProperties(
  values: Readonly<Record<string, string | number | boolean | null>>,
): OscalProperty[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null || value === ''
      ? []
      : [{ name: toToken(name), ns: OSCAL_NAMESPACE, value: toLine(String(value)) }],
  );
}
