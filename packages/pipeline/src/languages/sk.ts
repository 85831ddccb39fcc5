import type { LanguageData } from './language-data.ts';

/** Slovak. */
export const language: LanguageData = {
  tag: 'sk',
  name: 'Slovak',
  pii: {
    cues: {
      phone_number: 'telefon*, kontakt*',
      passport: 'cislo pasu',
      bank_account: 'cislo uctu, uctu',
      cz_sk_rodne_cislo: 'rodne cislo*, rodneho cisla, r c, rc',
    },
    accountWords: 'cislo uctu',
    numberedWords: 'faktur*',
  },
  injection: {
    turnLabels: 'pouzivatel, zakaznik, asistent',
  },
};
