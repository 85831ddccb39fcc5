import type { LanguageData } from './language-data.ts';

/** Indonesian. */
export const language: LanguageData = {
  tag: 'id',
  name: 'Indonesian',
  pii: {
    cues: {
      phone_number: 'hubungi, nomor hp, telepon, no hp, hub, faks',
      passport: 'paspor, nomor paspor',
      bank_account: 'rekening*, rekening bank, nomor rekening',
    },
    accountWords: 'rekening*, nomor rekening',
    numberedWords: 'faktur*',
  },
  injection: {
    turnLabels: 'pengguna, pelanggan, asisten',
  },
};
