import type { LanguageData } from './language-data.ts';

/** Japanese. */
export const language: LanguageData = {
  tag: 'ja',
  name: 'Japanese',
  pii: {
    cues: {
      ssn: '社会保障番号',
      credit_card: 'カード, クレジット',
      phone_number: '電話, 携帯, 代表電話, ファックス, 連絡先',
      email: 'メール',
      passport: 'パスポート, 旅券',
      ip_address: 'アドレス',
      bank_account: '口座, 預金, 銀行',
      jp_my_number: 'マイナンバー, 個人番号',
    },
    accountWords: '口座, 普通預金, 当座預金',
    numberedWords: '注文, お客様番号, 伝票',
  },
  injection: {
    override: {
      pattern: '(?:以前|上記|これまで|前)の(?:指示|命令|ルール).{0,8}(?:無視|忘れ)',
      needs: '無視, 忘れ',
    },
    questionOpenings: 'どうすれば',
    modelAddresses: 'あなた',
    turnLabels: 'ユーザー, 利用者, お客様, アシスタント',
  },
};
