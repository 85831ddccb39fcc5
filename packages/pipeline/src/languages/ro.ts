import type { LanguageData } from './language-data.ts';

/** Romanian. */
export const language: LanguageData = {
  tag: 'ro',
  name: 'Romanian',
  pii: {
    cues: {
      phone_number: 'telefon*',
      ro_cnp: 'cod numeric personal, codul numeric*',
    },
  },
  injection: {
    turnLabels: 'utilizator, client, asistent',
  },
};
