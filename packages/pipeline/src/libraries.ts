import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** libphonenumber with its smallest metadata. */
export type PhoneLibrary = typeof import('libphonenumber-js/min');

/** The validators that the detectors of personal data use. */
export interface Validators {
  readonly isAbaRouting: (value: string) => boolean;
  readonly isEmail: (value: string, options?: { allow_utf8_local_part?: boolean }) => boolean;
  readonly isIBAN: (value: string) => boolean;
  readonly isLuhnNumber: (value: string) => boolean;
  readonly isPassportNumber: (value: string, country: string) => boolean;
}

/**
 * Loads libphonenumber at the first number to judge; Node keeps it from then on. Reading its metadata
 * takes longer than loading the rest of this package.
 */
export function loadPhoneLibrary(): PhoneLibrary {
  return require('libphonenumber-js/min') as PhoneLibrary;
}

/** Loads one validator at the first value to judge; Node keeps it from then on. */
export function loadValidator<K extends keyof Validators>(name: K): Validators[K] {
  const loaded = require(`validator/lib/${name}.js`) as { readonly default: Validators[K] };
  return loaded.default;
}
