import { bankAccount } from './types/bank-account.ts';
import { creditCard } from './types/credit-card.ts';
import { email } from './types/email.ts';
import { ipAddress } from './types/ip-address.ts';
import { passport } from './types/passport.ts';
import { phoneNumber } from './types/phone-number.ts';
import { ssn } from './types/ssn.ts';

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
