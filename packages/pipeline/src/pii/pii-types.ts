import { lazyPattern } from '../lazy.ts';
import { hide, hideNumber } from '../redaction/hide.ts';
import type { PiiTypeDefinition } from './pii-type.ts';

const ADDRESS = lazyPattern('^(\\P{M}\\p{M}*)(.*)(@.*)(\\.[^.@]+)$', 'su');
const FIRST_NUMBER = /^(\d{1,3})(\.[\d.]+)$/;

/** United States social security numbers. */
const ssn: PiiTypeDefinition<'ssn'> = {
  type: 'ssn',
  risk: 0.95,
  severity: 'critical',
  hasDigit: true,
  wrapped: /^\d{3}([- ])\d{2}\1\d{4}$/,
  load: async () => {
    const { findSsn } = await import('./ssn.ts');
    return () => findSsn;
  },
};

/** Numbers of payment cards. */
const creditCard: PiiTypeDefinition<'credit_card'> = {
  type: 'credit_card',
  risk: 0.95,
  severity: 'critical',
  hasDigit: true,
  isJudgedByColumn: true,
  wrapped:
    /^(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}(?:[ -]\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5}|\d{13,19})$/,
  mask: (value) => hideNumber(value, 4),
  load: async () => {
    const { findCreditCard } = await import('./credit-card.ts');
    return () => findCreditCard;
  },
};

/** Telephone numbers. */
const phoneNumber: PiiTypeDefinition<'phone_number'> = {
  type: 'phone_number',
  risk: 0.5,
  severity: 'medium',
  hasDigit: true,
  isJudgedByColumn: true,
  isReadAgain: true,
  wrapped: /^(?:[+(]|\d{3}[-. ]\d{3}[-. ]\d{4}$)/,
  load: async () => (await import('./phone-number.ts')).createPhoneDetector,
};

/** E-mail addresses. */
const email: PiiTypeDefinition<'email'> = {
  type: 'email',
  risk: 0.5,
  severity: 'low',
  hasDigit: false,
  isGeneral: true,
  mask: maskEmail,
  wrapped: /@/,
  load: async () => {
    const { findEmail } = await import('./email.ts');
    return () => findEmail;
  },
};

/** Numbers of passports. */
const passport: PiiTypeDefinition<'passport'> = {
  type: 'passport',
  risk: 0.85,
  severity: 'high',
  hasDigit: false,
  mask: (value) => hide(value, 2),
  load: async () => {
    const { findPassport } = await import('./passport.ts');
    return () => findPassport;
  },
};

/** IPv4 and IPv6 addresses. */
const ipAddress: PiiTypeDefinition<'ip_address'> = {
  type: 'ip_address',
  risk: 0.3,
  severity: 'low',
  hasDigit: false,
  isGeneral: true,
  // Four numbers with dots between them are no other kind of personal data.
  isContradicted: false,
  wrapped: /^\d{1,3}(?:\.\d{1,3}){3}$/,
  mask: maskAddress,
  load: async () => {
    const { findIpAddress } = await import('./ip-address.ts');
    return () => findIpAddress;
  },
};

/** IBANs, and numbers of bank accounts that a word names. */
const bankAccount: PiiTypeDefinition<'bank_account'> = {
  type: 'bank_account',
  risk: 0.9,
  severity: 'high',
  hasDigit: true,
  mask: (value) => hideNumber(value, 4),
  wrapped: /^[A-Z]{2}\d{2}/,
  load: async () => {
    const { findBankAccount } = await import('./bank-account.ts');
    return () => findBankAccount;
  },
};

/** The types of personal data, in the order in which a text is searched for them. */
export const PII_TYPES = Object.freeze([
  ssn,
  creditCard,
  phoneNumber,
  email,
  passport,
  ipAddress,
  bankAccount,
] as const);

/** The personal-data types of the specification's key `stage_config.pii_scanner.patterns`. */
export type PiiType = (typeof PII_TYPES)[number]['type'];

/** How much harm a disclosed value of a type that only a model finds does, 0 to 1. */
export const MODEL_RISK = Object.freeze({
  person_name: 0.3,
  postal_address: 0.5,
});

/** The types that `pii_scanner` finds only with a classifier. */
export type ModelPiiType = keyof typeof MODEL_RISK;

/** Every type that only a model finds. */
export const MODEL_PII_TYPES: readonly ModelPiiType[] = Object.freeze(
  Object.keys(MODEL_RISK) as ModelPiiType[],
);

/** Keeps the first letter and the last label. */
function maskEmail(value: string): string {
  const [, first, name, host, label] = ADDRESS().exec(value) ?? [];
  if (first === undefined || name === undefined || host === undefined || label === undefined) {
    return hide(value);
  }
  return (name === '' ? hide(first) : first) + hide(name) + hide(host) + label;
}

/** Keeps the first number of an IPv4 address. */
function maskAddress(value: string): string {
  const [, first, rest] = FIRST_NUMBER.exec(value) ?? [];
  return first === undefined || rest === undefined ? hide(value) : first + hide(rest);
}
