import type { LanguageData } from './language-data.ts';

/** Vietnamese. */
export const language: LanguageData = {
  tag: 'vi',
  name: 'Vietnamese',
  pii: {
    cues: {
      phone_number: 'thoai, dien thoai, so dt, lien he',
      passport: 'ho chieu',
      bank_account: 'tai khoan, so tai khoan',
    },
    accountWords: 'so tai khoan',
  },
  injection: {
    turnLabels: 'nguoi dung, khach hang, tro ly',
  },
};
