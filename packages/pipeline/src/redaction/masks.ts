const SIGN = /[\p{L}\p{N}]/gu;
const GROUPED_DIGITS = /^[+(]*\d[\d\s()./-]*$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z\d\s-]+$/i;
const EMAIL = /^(\P{M}\p{M}*)(.*)(@.*)(\.[^.@]+)$/su;
const ADDRESS = /^(\d{1,3})(\.[\d.]+)$/;

/** How many signs stay readable at the end of a value of this type. */
const KEPT: Readonly<Record<string, number>> = {
  credit_card: 4,
  bank_account: 4,
  passport: 2,
};
/** A kept end must be a small part of the whole. */
const SHARE = 3;

/**
 * A mask of the same length and shape: letters and digits become asterisks, all else stays. A card and
 * a bank account keep their last four signs, a passport its last two, an e-mail address its first letter
 * and its last label, an IPv4 address its first number. A value that is not
 * written as its type usually is (such as an encoded one) keeps nothing.
 */
export function maskValue(type: string, value: string): string {
  if (type === 'email') return maskEmail(value);
  if (type === 'ip_address') {
    const [, first, rest] = ADDRESS.exec(value) ?? [];
    return first === undefined || rest === undefined ? hide(value) : first + hide(rest);
  }
  const kept = KEPT[type] ?? 0;
  const plain = GROUPED_DIGITS.test(value) || IBAN.test(value) || type === 'passport';
  return plain ? hide(value, kept) : hide(value);
}

function maskEmail(value: string): string {
  const [, first, name, host, label] = EMAIL.exec(value) ?? [];
  if (first === undefined || name === undefined || host === undefined || label === undefined) {
    return hide(value);
  }
  return (name === '' ? hide(first) : first) + hide(name) + hide(host) + label;
}

function hide(value: string, kept = 0): string {
  const count = value.match(SIGN)?.length ?? 0;
  const hidden = kept * SHARE > count ? count : count - kept;
  let seen = 0;
  return value.replace(SIGN, (sign) => (seen++ < hidden ? '*'.repeat(sign.length) : sign));
}
