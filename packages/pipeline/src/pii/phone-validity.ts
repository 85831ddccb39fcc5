import type { CountryCode } from 'libphonenumber-js/min';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Countries whose national form, with its leading 0 or grouping, is tried without a country code. */
const REGIONS: readonly CountryCode[] = ['DE', 'GB', 'FR', 'IT', 'ES', 'NL', 'PT', 'BR', 'US'];
/** How often one scan asks the library, which takes some 10 microseconds each time. */
const MAX_CALLS = 60_000;

/** Judges the values that look like telephone numbers in one scan. */
export interface PhoneValidity {
  ofInternational(value: string): 'valid' | 'possible' | 'impossible';
  isNational(value: string): boolean;
}

/**
 * Judges by libphonenumber and remembers the answers. A scan with more different numbers than the
 * library is called for gets the rest judged by their length (ITU-T E.164: at most 15 digits):
 * among so many numbers one more of them changes no risk, and the time stays bounded.
 */
export function createPhoneValidity(): PhoneValidity {
  const international = new Map<string, 'valid' | 'possible' | 'impossible'>();
  const national = new Map<string, boolean>();
  let calls = 0;
  const parse = (value: string, region?: CountryCode) => {
    calls++;
    return parsePhoneNumberFromString(value, region);
  };

  return {
    ofInternational(value) {
      const known = international.get(value);
      if (known !== undefined) return known;
      if (calls >= MAX_CALLS) return hasPossibleLength(value) ? 'valid' : 'impossible';
      const parsed = parse(value);
      const judged = parsed?.isValid() ? 'valid' : parsed?.isPossible() ? 'possible' : 'impossible';
      international.set(value, judged);
      return judged;
    },
    isNational(value) {
      const known = national.get(value);
      if (known !== undefined) return known;
      if (calls >= MAX_CALLS) return hasPossibleLength(value);
      const judged = REGIONS.some((region) => parse(value, region)?.isValid() === true);
      national.set(value, judged);
      return judged;
    },
  };
}

function hasPossibleLength(value: string): boolean {
  const digits = value.replace(/\D/g, '').length;
  return digits >= 8 && digits <= 15;
}
