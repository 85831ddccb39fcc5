import type { LanguageData } from './language-data.ts';

/** Swedish. */
export const language: LanguageData = {
  tag: 'sv',
  name: 'Swedish',
  pii: {
    cues: {
      credit_card: 'kort, kortnummer, kreditkort*',
      phone_number: 'telefon*, kontakt*, mitt nummer, mobilnr, telefonnr, telefax',
      passport: 'passnummer, passnr',
      bank_account: 'konto*',
      se_personnummer: 'personnummer*, personnr, pers nr, samordningsnummer*, fodelsenummer',
      fi_hetu: 'personbeteckning',
    },
    accountWords: 'konto, kontonr, kontonummer*',
    numberedWords: 'ordernummer, faktur*, artikelnummer, personnummer',
    labelWords: 'nummer, på',
    phoneCompounds: 'telefon, mobil',
  },
  injection: {
    turnLabels: 'anvandare, kund, assistent',
  },
};
