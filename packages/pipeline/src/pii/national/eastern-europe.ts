import { hasMod1110, isDay, isUniform, part, remainder, weightedSum } from './check-digits.ts';
import type { NationalId } from './national-id.ts';

/** Identifiers of central and eastern Europe. */
export const EASTERN_EUROPE: readonly NationalId[] = [
  {
    type: 'pl_pesel',
    country: 'PL',
    pattern: /(?<![\w.+-])\d{11}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const check = (10 - (weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10;
      const month = part(value, 2, 4) % 20;
      return (
        isDay(part(value, 0, 2), month, part(value, 4, 6)) && check === Number(value.charAt(10))
      );
    },
    source: 'Ustawa o ewidencji ludnosci, PESEL',
  },
  {
    type: 'cz_sk_rodne_cislo',
    country: 'CZ, SK',
    pattern: /(?<![\w.+/-])\d{6}\/?\d{4}(?![\w]|[-./]\d)/g,
    validate: (value) => {
      const month = (part(value, 2, 4) % 50) % 20;
      if (!isDay(part(value, 0, 2), month, part(value, 4, 6))) return false;
      const rest = remainder(value.slice(0, 9), 11) % 10;
      return rest === Number(value.charAt(9));
    },
    alone: /^\d{6}\/\d{4}$/,
    source: 'Zakon c. 133/2000 Sb.',
  },
  {
    type: 'ro_cnp',
    country: 'RO',
    pattern: /(?<![\w.+-])[1-9]\d{12}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const check = weightedSum(value, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
      const isBorn = isDay(part(value, 1, 3), part(value, 3, 5), part(value, 5, 7));
      return isBorn && (check === 10 ? 1 : check) === Number(value.charAt(12));
    },
    source: 'Legea nr. 105/1996',
  },
  {
    type: 'bg_egn',
    country: 'BG',
    pattern: /(?<![\w.+-])\d{10}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const month = part(value, 2, 4) % 20;
      const check = (weightedSum(value, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10;
      const isBorn = isDay(part(value, 0, 2), month, part(value, 4, 6));
      return isBorn && check === Number(value.charAt(9));
    },
    source: 'GRAO, EGN',
  },
  {
    type: 'hu_taj',
    country: 'HU',
    pattern: /(?<![\w.+-])\d{3}[ -]?\d{3}[ -]?\d{3}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      !isUniform(value) &&
      weightedSum(value, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === Number(value.charAt(8)),
    source: '1996. evi XX. torveny',
  },
  {
    type: 'hu_tax_id',
    country: 'HU',
    pattern: /(?<![\w.+-])8\d{9}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      weightedSum(value, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === Number(value.charAt(9)),
    source: '1996. evi XX. torveny',
  },
  {
    type: 'hr_oib',
    country: 'HR',
    pattern: /(?<![\w.+-])\d{11}(?![\w]|[-.]\d)/g,
    validate: (value) => !isUniform(value) && hasMod1110(value),
    source: 'Zakon o osobnom identifikacijskom broju; ISO 7064',
  },
  {
    type: 'tr_tckn',
    country: 'TR',
    pattern: /(?<![\w.+-])[1-9]\d{10}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const odd = weightedSum(value, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
      const even = weightedSum(value, [0, 1, 0, 1, 0, 1, 0, 1]);
      const tenth = (((odd * 7 - even) % 10) + 10) % 10;
      const last = (odd + even + tenth) % 10;
      return tenth === Number(value.charAt(9)) && last === Number(value.charAt(10));
    },
    source: 'Nufus ve Vatandaslik Isleri, T.C. kimlik numarasi',
  },
];
