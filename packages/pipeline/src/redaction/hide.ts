import { lazyPattern } from '../lazy.ts';

// Signs that show nothing may carry the value.
const SIGN = lazyPattern('[\\p{L}\\p{N}\\p{Default_Ignorable_Code_Point}]', 'gu');
const GROUPED_DIGITS = /^[+(]*\d[\d\s()./-]*$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d\s-]+$/i;
/** A kept end must be a small part of the whole. */
const SHARE = 3;

/** Replaces all letters, digits and signs that show nothing by asterisks, but the last `kept`. */
export function hide(value: string, kept = 0): string {
  const count = value.match(SIGN())?.length ?? 0;
  const hidden = kept * SHARE > count ? count : count - kept;
  let seen = 0;
  return value.replace(SIGN(), (sign) => (seen++ < hidden ? '*'.repeat(sign.length) : sign));
}

/** The same for a number; one that is not written as numbers are (such as an encoded one) keeps nothing. */
export function hideNumber(value: string, kept: number): string {
  return GROUPED_DIGITS.test(value) || IBAN.test(value) ? hide(value, kept) : hide(value);
}
