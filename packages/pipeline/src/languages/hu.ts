import type { LanguageData } from './language-data.ts';

/** Hungarian. */
export const language: LanguageData = {
  tag: 'hu',
  name: 'Hungarian',
  pii: {
    cues: {
      phone_number: 'telefon*, mobil',
      passport: 'utlevel*',
      bank_account: 'szamlaszam, bankszamla*',
      hu_taj: 'taj szam*, tajszam*, tarsadalombiztositas*',
      hu_tax_id: 'adoazonosito*, ado azonosito*, adojel',
    },
    accountWords: 'szamlaszam, bankszamla*',
  },
  injection: {
    turnLabels: 'felhasznalo, ugyfel, asszisztens',
  },
};
