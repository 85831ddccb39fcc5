import isAbaRoutingModule from 'validator/lib/isAbaRouting.js';
import isEmailModule from 'validator/lib/isEmail.js';
import isLuhnNumberModule from 'validator/lib/isLuhnNumber.js';
import isPassportNumberModule from 'validator/lib/isPassportNumber.js';

export const isAbaRouting = functionOf<(value: string) => boolean>(isAbaRoutingModule);
export const isLuhnNumber = functionOf<(value: string) => boolean>(isLuhnNumberModule);
export const isPassportNumber =
  functionOf<(value: string, country: string) => boolean>(isPassportNumberModule);
export const isEmail =
  functionOf<(value: string, options?: { readonly allow_utf8_local_part?: boolean }) => boolean>(
    isEmailModule,
  );

/**
 * The function of a CommonJS module: some modules of the library are the function, others have it as
 * `default`, and bundlers and test runners take either for the default import.
 */
function functionOf<Validator>(module: unknown): Validator {
  const found = typeof module === 'function' ? module : (module as { default?: unknown }).default;
  if (typeof found !== 'function') throw new TypeError('A validator of personal data is missing.');
  return found as Validator;
}
