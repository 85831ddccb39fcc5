import type { LanguageData } from './language-data.ts';

/** Greek. */
export const language: LanguageData = {
  tag: 'el',
  name: 'Greek',
  pii: {
    cues: {
      credit_card: 'πιστωτικη, καρτα',
      phone_number: 'τηλ, κινητο, καλεσ, φαξ',
      passport: 'διαβατηρι',
      ip_address: 'διευθυνση',
      bank_account: 'λογαριασμ, ιβαν, τραπεζ',
      gr_afm: 'αφμ, αφμ:',
      gr_amka: 'αμκα',
    },
    accountWords: 'λογαριασμ',
    numberedWords: 'παραγγελια, τιμολογιο',
  },
  injection: {
    turnLabels: 'χρήστησ, πελάτησ, βοηθόσ',
  },
};
