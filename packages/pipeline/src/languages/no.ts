import type { LanguageData } from './language-data.ts';

/** Norwegian. */
export const language: LanguageData = {
  tag: 'no',
  name: 'Norwegian',
  pii: {
    cues: {
      credit_card: 'kort, kortnummer, kortnr, kredittkort*',
      phone_number: `
        telefon*, kontakt*, mitt nummer, tlf, tlfnr, ring til, ring meg, mobilnr, telefonnr,
        telefaks`,
      passport: 'passnummer, passnr',
      ip_address: 'adresse',
      bank_account: 'konto*',
      no_fodselsnummer:
        'fødselsnummer*, fødselsnr, fodselsnummer*, fodselsnr, personnummer*, d nummer',
    },
    accountWords: 'konto, kontonr, kontonummer*',
    numberedWords: 'ordrenummer, faktur*, personnummer',
    labelWords: 'nummer, på',
    phoneCompounds: 'telefon, mobil, tlf',
  },
  injection: {
    turnLabels: 'bruker, kunde, assistent',
  },
};
