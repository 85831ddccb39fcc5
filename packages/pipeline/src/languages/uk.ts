import type { LanguageData } from './language-data.ts';

/** Ukrainian. */
export const language: LanguageData = {
  tag: 'uk',
  name: 'Ukrainian',
  pii: {
    cues: {
      phone_number: 'тел, телефон, моб, факс',
      passport: 'паспорт, пашпорт',
      bank_account: 'банк',
    },
  },
  injection: {
    turnLabels: 'користувач, клієнт, асистент, помічник',
  },
};
