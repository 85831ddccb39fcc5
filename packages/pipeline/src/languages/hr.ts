import type { LanguageData } from './language-data.ts';

/** Croatian. */
export const language: LanguageData = {
  tag: 'hr',
  name: 'Croatian',
  pii: {
    cues: {
      phone_number: 'telefon*, kontakt*',
      passport: 'putovnic*, pas broj',
      hr_oib: 'osobni identifikacijski*',
    },
  },
  injection: {
    turnLabels: 'korisnik, kupac, asistent',
  },
};
