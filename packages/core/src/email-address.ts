import { domainToASCII, domainToUnicode } from 'node:url';

/** Longest address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

/**
 * Local part: what RFC 5322 would have quoted, white space, control characters and marks that change the direction
 * of text are excluded, so that an address is one word of a mail header.
 */
const LOCAL_PART = /^[^\s\p{C}\p{Z}@<>()[\]\\,;:"]+$/u;

/** A label of a domain: letters of any script, digits, marks, inner hyphens and underscores. */
const LABEL = /^[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?$/u;
const MAX_LABEL_LENGTH = 63;

/**
 * Whether a text is an e-mail address without a display name, of at most 254 characters. It takes what directories
 * hold besides plain addresses: any character that needs no quotes (`x#EXT#@…`, `o'neil@…`, `a&b@…`), letters of any
 * script (RFC 6531), internationalized domains, and domains of one label (`user@corp`).
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_LENGTH) return false;
  const at = text.lastIndexOf('@');
  return LOCAL_PART.test(text.slice(0, Math.max(at, 0))) && isDomain(text.slice(at + 1));
}

/**
 * The same text for every writing of a mailbox: letter case, composed or decomposed letters (Unicode NFC), and an
 * internationalized domain in letters or in Punycode (RFC 5891).
 */
export function mailboxKey(email: string): string {
  // A letter such as the J with a caron is composed in small only.
  const text = email.toLowerCase().normalize('NFC');
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  if (at === 0 || text.length > MAX_EMAIL_LENGTH || isPlainDomain(domain)) return text;
  return text.slice(0, at) + (domainToUnicode(domainToASCII(domain)) || domain);
}

/** Whether a domain in small letters has one writing only. */
function isPlainDomain(domain: string): boolean {
  return /^[\x20-\x7e]*$/.test(domain) && !domain.includes('xn--');
}

function isDomain(text: string): boolean {
  return text.split('.').every((label) => label.length <= MAX_LABEL_LENGTH && LABEL.test(label));
}
