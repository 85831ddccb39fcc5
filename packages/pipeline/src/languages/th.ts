import type { LanguageData } from './language-data.ts';

/** Thai. */
export const language: LanguageData = {
  tag: 'th',
  name: 'Thai',
  pii: {
    cues: {
      credit_card: 'บัตรเครดิต',
      phone_number: 'โทร, เบอร์',
      passport: 'หนังสือเดินทาง',
      bank_account: 'บัญชี',
    },
    accountWords: 'บัญชี',
  },
  injection: {
    turnLabels: 'ผู้ใช้, ลูกค้า, ผู้ช่วย',
  },
};
