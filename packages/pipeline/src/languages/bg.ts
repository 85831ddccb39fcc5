import type { LanguageData } from './language-data.ts';

/** Bulgarian. */
export const language: LanguageData = {
  tag: 'bg',
  name: 'Bulgarian',
  pii: {
    cues: {
      phone_number: 'тел, телефон, факс',
      passport: 'паспорт',
      ip_address: 'адрес',
      bank_account: 'банк',
      bg_egn: 'егн, единен граждански',
    },
  },
  injection: {
    turnLabels: 'потребител, клиент, асистент, агент',
  },
};
