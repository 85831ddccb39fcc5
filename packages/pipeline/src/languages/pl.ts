import type { LanguageData } from './language-data.ts';

/** Polish. */
export const language: LanguageData = {
  tag: 'pl',
  name: 'Polish',
  pii: {
    cues: {
      credit_card: 'karty, karta, karte platnicz*',
      phone_number: `
        telefon*, kontakt*, moj numer, zadzwon*, dzwoni*, komork*, tel kom, faks, telefaks`,
      passport: 'paszport*',
      ip_address: 'adres',
      bank_account: 'konto*, konta, numer konta, nr konta, rachun*',
      pl_pesel: 'numer pesel, nr pesel, ewidencyjny',
    },
    accountWords: 'konto, numer konta, nr konta, rachunek*',
    numberedWords: 'zamowien*, faktur*',
    labelWords: 'numer, jest, pod, do',
  },
  injection: {
    override: {
      pattern: '(?:ignoruj|zignoruj|pomin|zapomnij).{0,30}(?:instrukcj|polecen|zasad)',
      needs: 'ignoruj, pomin, zapomnij',
    },
    turnLabels: 'uzytkownik, klient, czlowiek, asystent',
  },
};
