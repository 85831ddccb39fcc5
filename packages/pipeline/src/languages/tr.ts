import type { LanguageData } from './language-data.ts';

/** Turkish. */
export const language: LanguageData = {
  tag: 'tr',
  name: 'Turkish',
  pii: {
    cues: {
      credit_card: 'kart, kart numara*, kredi kart*',
      phone_number: 'telefon*, cep tel*, cep no, gsm no, arayin, numaras*, faks',
      passport: 'pasaport*',
      ip_address: 'adres',
      bank_account: 'hesap, hesap no, hesap numara*',
      tr_tckn: 'tc kimlik*, t c kimlik*, tc no, t c no, kimlik no, kimlik numara*',
    },
    accountWords: 'hesap no, hesap numara*',
    numberedWords: 'fatura*, siparis*',
  },
  injection: {
    override: {
      pattern:
        '(?:onceki|yukaridaki).{0,24}(?:talimat|kural|komut).{0,16}(?:yok say|unut|gormezden|dikkate alma)',
      needs: 'talimat, kural, komut',
    },
    turnLabels: 'kullanici, musteri, asistan',
  },
};
