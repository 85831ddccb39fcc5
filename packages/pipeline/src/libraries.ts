import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Node's own cryptography. */
export type Crypto = typeof import('node:crypto');

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

/** Loads node:crypto at the first token; few programs that scan ever make one. */
export function loadCrypto(): Crypto {
  return require('node:crypto') as Crypto;
}

/**
 * Loads a module of this package at its first use, at once (Node loads ES modules so from 20.19 on).
 *
 * @param path relative to this file, as compiled
 */
export function loadPart<Part>(path: string): Part {
  return require(path) as Part;
}
