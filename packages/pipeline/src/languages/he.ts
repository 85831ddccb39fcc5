import type { LanguageData } from './language-data.ts';

/** Hebrew. */
export const language: LanguageData = {
  tag: 'he',
  name: 'Hebrew',
  pii: {
    cues: {
      ssn: 'ביטוח לאומי',
      credit_card: 'כרטיס אשראי',
      phone_number: 'טלפון, נייד, התקשר, פקס',
      passport: 'דרכון',
      ip_address: 'כתובת',
      bank_account: 'חשבון, בנק',
      il_id: 'teudat zehut, mispar zehut, תעודת, זהות, ת.ז',
    },
    accountWords: 'חשבון',
    numberedWords: 'הזמנה, חשבונית',
  },
  injection: {
    turnLabels: 'משתמש, לקוח, עוזר',
  },
};
