/**
 * What follows the check digits of an IBAN, by country code (SWIFT IBAN registry, and four countries that use the
 * form without being in it: DZ, IR, MA, MZ): so many digits (`n`), capital letters (`a`), or either (`c`).
 */
const STRUCTURES: ReadonlyMap<string, string> = new Map(
  (
    'AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BI23n BR23n1a1c ' +
    'BY4c4n16c CH5n12c CR18n CY8n16c CZ20n DE18n DJ23n DK14n DO4c20n DZ22n EE16n EG25n ES20n ' +
    'FI14n FK2a12n FO14n FR10n11c2n GB4a14n GE2a16n GI4a15c GL14n GR7n16c GT24c HN4a20n ' +
    'HR17n HU24n IE4a14n IL19n IQ4a15n IR22n IS22n IT1a10n12c JO4a4n18c KW4a22c KZ3n13c ' +
    'LB4n20c LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MA24n MC10n11c2n MD20c ME18n ' +
    'MK3n10c2n MN16n MR23n MT4a5n18c MU4a19n3a MZ21n NI4a20n NL4a10n NO11n OM3n16c PK4a16c ' +
    'PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n RU14n15c SA2n18c SC4a20n3a SD14n SE20n SI15n ' +
    'SK20n SM1a10n12c SO19n ST21n SV4a20n TL19n TN20n TR6n16c UA6n19c VA18n VG4a16n XK16n ' +
    'YE4a4n18c'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
);
const CLASSES: Readonly<Record<string, string>> = { n: '\\d', a: '[A-Z]', c: '[A-Z\\d]' };
const PART = /(\d+)([nac])/g;
const COUNTRY_AND_CHECK = 4;

/** The length of a country's IBANs, or undefined where the country has none. */
export function ibanLength(country: string): number | undefined {
  const parts = STRUCTURES.get(country)?.matchAll(PART);
  return parts && [...parts].reduce((sum, part) => sum + Number(part[1]), COUNTRY_AND_CHECK);
}

/** Whether a value in capitals, without blanks, has the structure of its country and right check digits (ISO 13616, mod 97). */
export function isIban(value: string): boolean {
  const structure = STRUCTURES.get(value.slice(0, 2));
  const account = structure?.replace(PART, (_, count, kind) => `${CLASSES[kind]}{${count}}`);
  if (account === undefined || !new RegExp(`^[A-Z]{2}\\d{2}${account}$`).test(value)) return false;
  const turned = value.slice(COUNTRY_AND_CHECK) + value.slice(0, COUNTRY_AND_CHECK);
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
