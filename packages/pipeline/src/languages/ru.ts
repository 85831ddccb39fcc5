import type { LanguageData } from './language-data.ts';

/** Russian. */
export const language: LanguageData = {
  tag: 'ru',
  name: 'Russian',
  pii: {
    cues: {
      ssn: 'социального страхования',
      credit_card: 'карт, номер карты',
      phone_number: 'тел, телефон, моб, мобильн, звон, позвон, номер телефона, мой номер, факс',
      email: 'почт',
      passport: 'паспорт, загранпаспорт',
      ip_address: 'адрес',
      bank_account: 'счет, счёт, р/с, банк',
    },
    accountWords: 'счет, счёт, р/с',
    numberedWords: 'заказ, счет фактура, номер заказа, трек, инн',
  },
  injection: {
    lexicon: {
      override: 'игнорир*, забудь*, забыть, отмени',
      rules: 'инструкц*, правила, указани*',
      prior: 'предыдущ*, прежние, выше',
      all: 'все, любые',
      your: 'твои, ваши',
      reveal: 'покажи*, раскрой*, повтори*, выведи*',
      secret: 'скрыт*, секретн*',
      persona: 'представь*, притвор*',
      limits: 'ограничен*, цензур*',
      without: 'без',
      assistant: 'ассистент*, модель',
      never: 'никогда, не',
      answer: 'ответ*',
      change: 'добавь*',
      send: 'отправь*',
      system: 'системн*',
      task: 'теперь, вместо',
    },
    questionOpenings: 'как, почему, можно, зачем, какие?',
    modelAddresses: 'ты, тебе, твои, ваш',
    turnLabels: 'пользователь, клиент, человек, ассистент, помощник, агент, ии',
  },
};
