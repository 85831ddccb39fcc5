import { ibanLength, isIban } from '../iban.ts';
import { hasLuhn, hasVerhoeff, isDay, isUniform, part, weightedSum } from './check-digits.ts';
import type { NationalId } from './national-id.ts';

const CURP_SIGNS = '0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ';
const NRIC = {
  S: 'JZIHGFEDCBA',
  T: 'JZIHGFEDCBA',
  F: 'XWUTRQPNMLK',
  G: 'XWUTRQPNMLK',
  M: 'KLJNPQRTUWX',
};

/** Identifiers of the other continents, and IBANs. */
export const OTHER_COUNTRIES: readonly NationalId[] = [
  {
    type: 'iban',
    country: 'ISO 13616',
    pattern: /(?<![\w-])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30}/gi,
    validate: isIban,
    alone: /./,
    fit: fitIban,
    source: 'ISO 13616-1',
  },
  {
    type: 'il_id',
    country: 'IL',
    pattern: /(?<![\w.+-])\d{9}(?![\w]|[-.]\d)/g,
    validate: (value) => !isUniform(value) && hasLuhn(value),
    source: 'Ministry of Interior, mispar zehut',
  },
  {
    type: 'in_aadhaar',
    country: 'IN',
    pattern: /(?<![\w.+-])[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?![\w]|[ -.]\d)/g,
    validate: (value) => !isUniform(value) && hasVerhoeff(value),
    source: 'UIDAI, Aadhaar',
  },
  {
    type: 'in_pan',
    country: 'IN',
    pattern: /(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])/gi,
    validate: (value) => !/0000.$/.test(value),
    source: 'Income Tax Department, PAN',
  },
  {
    type: 'cn_resident_id',
    country: 'CN',
    pattern: /(?<![\w.+-])[1-9]\d{5}(?:18|19|20)\d{9}[\dX](?![\w-])/gi,
    validate: (value) => {
      const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
      const isBorn = isDay(part(value, 6, 10), part(value, 10, 12), part(value, 12, 14));
      return isBorn && '10X98765432'.charAt(weightedSum(value, weights) % 11) === value.at(-1);
    },
    alone: /./,
    source: 'GB 11643-1999',
  },
  {
    type: 'jp_my_number',
    country: 'JP',
    pattern: /(?<![\w.+-])\d{4}[ -]?\d{4}[ -]?\d{4}(?![\w]|[ -.]\d)/g,
    validate: (value) => {
      const rest = weightedSum(value, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
      return !isUniform(value) && (rest <= 1 ? 0 : 11 - rest) === Number(value.charAt(11));
    },
    source: 'Ministry of Internal Affairs, ordinance no. 85 of 2014',
  },
  {
    type: 'kr_rrn',
    country: 'KR',
    pattern: /(?<![\w.+-])\d{6}-?[1-8]\d{6}(?![\w]|[-.]\d)/g,
    validate: (value) => isDay(part(value, 0, 2), part(value, 2, 4), part(value, 4, 6)),
    source: 'Resident Registration Act (no check digit since October 2020)',
  },
  {
    type: 'sg_nric',
    country: 'SG',
    pattern: /(?<![\w-])[STFGM]\d{7}[A-Z](?![\w-])/gi,
    validate: isNric,
    source: 'Immigration and Checkpoints Authority, NRIC and FIN',
  },
  {
    type: 'au_tfn',
    country: 'AU',
    pattern: /(?<![\w.+-])\d{3}[ -]?\d{3}[ -]?\d{3}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      !isUniform(value) && weightedSum(value, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
    source: 'Australian Taxation Office, TFN',
  },
  {
    type: 'au_medicare',
    country: 'AU',
    pattern: /(?<![\w.+-])[2-6]\d{3}[ -]?\d{5}[ -]?\d(?:[ /-]?\d)?(?![\w]|[-.]\d)/g,
    validate: (value) =>
      weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(value.charAt(8)),
    source: 'Services Australia, Medicare card number',
  },
  {
    type: 'ca_sin',
    country: 'CA',
    pattern: /(?<![\w.+-])[1-79]\d{2}[ -]?\d{3}[ -]?\d{3}(?![\w]|[-.]\d)/g,
    validate: (value) => !isUniform(value) && hasLuhn(value),
    source: 'Employment and Social Development Canada, SIN',
  },
  {
    type: 'mx_curp',
    country: 'MX',
    pattern:
      /(?<![\w-])[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d(?![\w-])/gi,
    validate: (value) => {
      let sum = 0;
      [...value.slice(0, 17)].forEach((sign, at) => {
        sum += CURP_SIGNS.indexOf(sign) * (18 - at);
      });
      return (10 - (sum % 10)) % 10 === Number(value.charAt(17));
    },
    alone: /./,
    source: 'RENAPO, CURP',
  },
  {
    type: 'mx_rfc',
    country: 'MX',
    pattern: /(?<![\w-])[A-Z\u00d1&]{3,4}-?\d{6}-?[A-Z\d]{2}[A\d](?![\w-])/gi,
    validate: (value) => isDay(part(value, -9, -7), part(value, -7, -5), part(value, -5, -3)),
    source: 'SAT, RFC',
  },
  {
    type: 'br_cpf',
    country: 'BR',
    pattern: /(?<![\w.+-])\d{3}\.?\d{3}\.?\d{3}[-/]?\d{2}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      !isUniform(value) &&
      digitOf(value, [10, 9, 8, 7, 6, 5, 4, 3, 2]) === value.charAt(9) &&
      digitOf(value, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === value.charAt(10),
    alone: /^\d{3}\.\d{3}\.\d{3}-\d{2}$/,
    source: 'Receita Federal, CPF',
  },
  {
    type: 'br_cnpj',
    country: 'BR',
    pattern:
      /(?<![\w.+-])[A-Z\d]{2}\.?[A-Z\d]{3}\.?[A-Z\d]{3}\/?[A-Z\d]{4}-?\d{2}(?![\w]|[-.]\d)/gi,
    validate: isCnpj,
    alone: /^.{2}\..{3}\..{3}\/.{4}-\d{2}$/,
    source: 'Receita Federal, CNPJ, also with letters (IN RFB no. 2.229/2024)',
  },
  {
    type: 'cl_rut',
    country: 'CL',
    pattern: /(?<![\w.+-])\d{1,2}\.?\d{3}\.?\d{3}-[\dK](?![\w]|[-.]\d)/gi,
    validate: (value) => {
      let sum = 0;
      [...value.slice(0, -1)].reverse().forEach((digit, at) => {
        sum += Number(digit) * (2 + (at % 6));
      });
      return '0K987654321'.charAt(sum % 11) === value.at(-1);
    },
    alone: /^\d{1,2}\.\d{3}\.\d{3}-[\dK]$/i,
    source: 'Servicio de Impuestos Internos, RUT',
  },
  {
    type: 'ar_cuit',
    country: 'AR',
    pattern: /(?<![\w.+-])(?:2[03-7]|3[034])-?\d{8}-?\d(?![\w]|[-.]\d)/g,
    validate: (value) => {
      const check = 11 - (weightedSum(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
      return (check === 11 ? 0 : check) === Number(value.charAt(10)) && check !== 10;
    },
    alone: /^\d{2}-\d{8}-\d$/,
    source: 'AFIP, CUIT and CUIL',
  },
  {
    type: 'za_id',
    country: 'ZA',
    pattern: /(?<![\w.+-])\d{6} ?\d{4} ?[012]\d{2}(?![\w]|[-.]\d)/g,
    validate: (value) =>
      isDay(part(value, 0, 2), part(value, 2, 4), part(value, 4, 6)) && hasLuhn(value),
    source: 'Identification Act 68 of 1997',
  },
];

/** A check digit of a CPF or CNPJ: 11 less the rest, and 0 for 10 and 11. */
function digitOf(value: string, weights: readonly number[]): string {
  const rest =
    weights.reduce((sum, weight, at) => sum + weight * (value.charCodeAt(at) - 48), 0) % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

function isCnpj(value: string): boolean {
  const first = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  if (isUniform(value) || !/\d/.test(value.slice(0, 8))) return false;
  return (
    digitOf(value, first) === value.charAt(12) && digitOf(value, [6, ...first]) === value.charAt(13)
  );
}

function isNric(value: string): boolean {
  const series = value.charAt(0) as keyof typeof NRIC;
  const offset = { S: 0, T: 4, F: 0, G: 4, M: 3 }[series];
  const rest = (weightedSum(value.slice(1), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  return NRIC[series].charAt(series === 'M' ? 10 - rest : rest) === value.at(-1);
}

/** The signs of a match up to the length of its country's IBANs; empty where the next sign goes on. */
function fitIban(match: string): string {
  const length = ibanLength(match.slice(0, 2).toUpperCase()) ?? 0;
  let count = 0;
  for (let at = 0; at < match.length; at++) {
    if (!/[A-Z\d]/i.test(match.charAt(at))) continue;
    if (++count === length)
      return /^[A-Z\d]/i.test(match.slice(at + 1)) ? '' : match.slice(0, at + 1);
  }
  return '';
}
