import type { LanguageData } from './language-data.ts';

/** Czech. */
export const language: LanguageData = {
  tag: 'cs',
  name: 'Czech',
  pii: {
    cues: {
      credit_card: 'karty, karta',
      phone_number: 'telefon*, mobil, kontakt*, zavol*',
      passport: 'cislo pasu, cestovni pas',
      bank_account: 'konto*, cislo uctu, uctu',
      cz_sk_rodne_cislo: 'rodne cislo*, rodneho cisla, r c, rc, rod cislo',
    },
    accountWords: 'konto, cislo uctu',
    numberedWords: 'faktur*',
  },
  injection: {
    turnLabels: 'uzivatel, zakaznik, asistent',
  },
};
