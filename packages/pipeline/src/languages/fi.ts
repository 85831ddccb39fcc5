import type { LanguageData } from './language-data.ts';

/** Finnish. */
export const language: LanguageData = {
  tag: 'fi',
  name: 'Finnish',
  pii: {
    cues: {
      credit_card: 'luottokor*',
      phone_number: 'puh, puhelin*, soita*, matkapuh*',
      passport: 'passin numero, passinumero',
      bank_account: 'tilinumero',
      fi_hetu: 'henkilotunnus*, henkilotunnuksen, sosiaaliturvatunnus',
    },
    accountWords: 'tilinumero',
    numberedWords: 'lahetys*, tilausnumero',
  },
  injection: {
    turnLabels: 'kayttaja, asiakas, avustaja',
  },
};
