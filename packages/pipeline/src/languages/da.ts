import type { LanguageData } from './language-data.ts';

/** Danish. */
export const language: LanguageData = {
  tag: 'da',
  name: 'Danish',
  pii: {
    cues: {
      credit_card: 'kort, kortnummer, kortnr, kreditkort*',
      phone_number: `
        telefon*, kontakt*, tlf, tlfnr, ring til, ring mig, mobilnr, telefonnr, telefax`,
      passport: 'pasnummer, pasnr',
      ip_address: 'adresse',
      bank_account: 'konto*',
      dk_cpr: 'cpr nr, cpr nummer, personnummer*, personnr',
    },
    accountWords: 'konto, kontonr, kontonummer*',
    numberedWords: 'ordrenummer, faktur*, personnummer',
    labelWords: 'nummer, på',
    phoneCompounds: 'telefon, mobil, tlf',
  },
  injection: {
    turnLabels: 'bruger, kunde, assistent',
  },
};
