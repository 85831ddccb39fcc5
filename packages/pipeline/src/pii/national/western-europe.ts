import {
  hasLuhn,
  hasMod1110,
  isDay,
  isUniform,
  part,
  remainder,
  weightedSum,
} from './check-digits.ts';
import type { NationalId } from './national-id.ts';

const ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];
const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';
const HETU_SIGNS = '0123456789ABCDEFHJKLMNPRSTUVWXY';
const PPS_LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV';

/** Identifiers of western, northern and southern Europe. */
export const WESTERN_EUROPE: readonly NationalId[] = [
  {
    type: 'gb_nhs_number',
    country: 'GB',
    pattern: /(?<![\w.+-])\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const check = 11 - (weightedSum(value, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
      return !isUniform(value) && check % 11 === Number(value.at(-1)) && check !== 10;
    },
    source: 'NHS Data Dictionary, NHS NUMBER',
  },
  {
    type: 'gb_nino',
    country: 'GB',
    pattern: /(?<![\w-])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/gi,
    validate: (value) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(value),
    alone: /^[A-Z]{2} \d{2} \d{2} \d{2} [A-D]$/,
    source: 'HMRC National Insurance Manual, NIM39110',
  },
  {
    type: 'de_steuer_id',
    country: 'DE',
    pattern: /(?<![\w.+-])[1-9]\d(?: ?\d{3}){3}(?![\w]|[-.]\d)/g,
    validate: (value) => hasOneRepeatedDigit(value.slice(0, 10)) && hasMod1110(value),
    source: 'Bundeszentralamt fuer Steuern, Steueridentifikationsnummer; ISO 7064',
  },
  {
    type: 'it_codice_fiscale',
    country: 'IT',
    pattern:
      /(?<![\w-])[A-Z]{6}[\dL-NP-V]{2}[A-EHLMPRST][\dL-NP-V]{2}[A-Z][\dL-NP-V]{3}[A-Z](?![\w-])/gi,
    validate: isCodiceFiscale,
    alone: /./,
    source: 'Decreto ministeriale 23 dicembre 1976',
  },
  {
    type: 'es_dni',
    country: 'ES',
    pattern: /(?<![\w.-])\d{2}\.?\d{3}\.?\d{3}[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi,
    validate: (value) => value.at(-1) === DNI_LETTERS.charAt(part(value, 0, 8) % 23),
    source: 'Real Decreto 1553/2005',
  },
  {
    type: 'es_nie',
    country: 'ES',
    pattern: /(?<![\w.-])[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi,
    validate: (value) => {
      const number = 'XYZ'.indexOf(value.charAt(0)) * 10_000_000 + part(value, 1, 8);
      return value.at(-1) === DNI_LETTERS.charAt(number % 23);
    },
    alone: /^[XYZ]-\d{7}-[A-Z]$/,
    source: 'Orden INT/2058/2008',
  },
  {
    type: 'fr_nir',
    country: 'FR',
    pattern:
      /(?<![\w.+-])[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\w]|[-.]\d)/gi,
    validate: (value) => {
      const number = value.slice(0, 13).replace('2A', '19').replace('2B', '18');
      return 97 - remainder(number, 97) === part(value, 13, 15);
    },
    alone: /^[12] \d{2} \d{2} \d[\dAB] \d{3} \d{3} \d{2}$/,
    source: 'Decret no 82-103, INSEE',
  },
  {
    type: 'be_national_number',
    country: 'BE',
    pattern: /(?<![\w.+-])\d{2}[. ]?\d{2}[. ]?\d{2}[- ]?\d{3}[. ]?\d{2}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const isRight = (number: string) => 97 - remainder(number, 97) === part(value, 9, 11);
      const month = part(value, 2, 4) % 20;
      return month <= 12 && (isRight(value.slice(0, 9)) || isRight(`2${value.slice(0, 9)}`));
    },
    alone: /^\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}$/,
    source: 'Arrete royal du 3 avril 1984',
  },
  {
    type: 'nl_bsn',
    country: 'NL',
    pattern: /(?<![\w.+-])\d{4}\.?\d{2}\.?\d{3}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      !isUniform(value) && weightedSum(value, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
    source: 'Logisch Ontwerp BSN, elfproef',
  },
  {
    type: 'at_svnr',
    country: 'AT',
    pattern: /(?<![\w.+-])[1-9]\d{3}[ -]?\d{6}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const check = weightedSum(value, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11;
      return (
        check === Number(value.charAt(3)) && part(value, 4, 6) <= 31 && part(value, 6, 8) <= 15
      );
    },
    source: 'Dachverband der Sozialversicherungstraeger, Versicherungsnummer',
  },
  {
    type: 'ch_ahv',
    country: 'CH',
    pattern: /(?<![\w.+-])756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}(?![\w]|[-.]\d)/g,
    validate: (value) => weightedSum(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
    alone: /^756\.\d{4}\.\d{4}\.\d{2}$/,
    source: 'Bundesamt fuer Sozialversicherungen, AHVN13; EAN-13',
  },
  {
    type: 'se_personnummer',
    country: 'SE',
    pattern: /(?<![\w.+-])(?:(?:18|19|20)\d{6}[-+]?|\d{6}[-+]?)\d{4}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const digits = value.replace('+', '').slice(-10);
      const day = part(digits, 4, 6);
      return (
        isDay(part(digits, 0, 2), part(digits, 2, 4), day > 60 ? day - 60 : day) && hasLuhn(digits)
      );
    },
    source: 'Skatteverket, SKV 704',
  },
  {
    type: 'no_fodselsnummer',
    country: 'NO',
    pattern: /(?<![\w.+-])\d{6}[ -]?\d{5}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const day = part(value, 0, 2) % 40;
      const month = part(value, 2, 4) % 40;
      if (!isDay(part(value, 4, 6), month, day)) return false;
      const first = (11 - (weightedSum(value, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
      const second = (11 - (weightedSum(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
      return first === Number(value.charAt(9)) && second === Number(value.charAt(10));
    },
    source: 'Skatteetaten, folkeregisteret',
  },
  {
    type: 'dk_cpr',
    country: 'DK',
    pattern: /(?<![\w.+-])\d{6}[- ]?\d{4}(?![\w]|[-.]\d)/g,
    validate: (value) => isDay(part(value, 4, 6), part(value, 2, 4), part(value, 0, 2)),
    source: 'CPR-kontoret, Personnummeret i CPR (check digit not kept since 2007)',
  },
  {
    type: 'fi_hetu',
    country: 'FI',
    pattern: /(?<![\w.+-])\d{6}[-+A-FU-Y]\d{3}[\dA-FHJ-NPR-Y](?![\w-])/gi,
    validate: (value) => {
      const digits = value.slice(0, 6) + value.slice(-4, -1);
      const sign = HETU_SIGNS.charAt(Number(digits) % 31);
      return (
        isDay(part(value, 4, 6), part(value, 2, 4), part(value, 0, 2)) && sign === value.at(-1)
      );
    },
    alone: /[A-FHJ-NPR-Y]$/i,
    source: 'Digi- ja vaestotietovirasto, henkilotunnus',
  },
  {
    type: 'ie_pps',
    country: 'IE',
    pattern: /(?<![\w.-])\d{7}[A-W][A-IW]?(?![\w-])/gi,
    validate: (value) => {
      const second = value.charAt(8) === 'W' ? 0 : 'ABCDEFGHI'.indexOf(value.charAt(8) || '-') + 1;
      const sum = weightedSum(value, [8, 7, 6, 5, 4, 3, 2]) + second * 9;
      return PPS_LETTERS.charAt(sum % 23) === value.charAt(7);
    },
    source: 'Revenue Commissioners, PPSN checksum',
  },
  {
    type: 'pt_nif',
    country: 'PT',
    pattern: /(?<![\w.+-])[1-35689]\d{2}[ .]?\d{3}[ .]?\d{3}(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const check = 11 - (weightedSum(value, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
      return (check > 9 ? 0 : check) === Number(value.charAt(8));
    },
    source: 'Decreto-Lei n.o 14/2013',
  },
  {
    type: 'gr_afm',
    country: 'GR',
    pattern: /(?<![\w.+-])\d{9}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      !isUniform(value) &&
      (weightedSum(value, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(value.charAt(8)),
    source: 'AADE, AFM',
  },
  {
    type: 'gr_amka',
    country: 'GR',
    pattern: /(?<![\w.+-])\d{11}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      isDay(part(value, 4, 6), part(value, 2, 4), part(value, 0, 2)) && hasLuhn(value),
    source: 'IDIKA, AMKA',
  },
];

/** Of the first ten digits exactly one stands twice or three times. */
function hasOneRepeatedDigit(digits: string): boolean {
  const counts = [...new Set(digits)].map((digit) => digits.split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] as number) <= 3;
}

function isCodiceFiscale(value: string): boolean {
  let sum = 0;
  [...value.slice(0, 15)].forEach((sign, at) => {
    const number = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    sum += at % 2 === 0 ? (ODD[number] as number) : number;
  });
  return value.charCodeAt(15) - 65 === sum % 26;
}
