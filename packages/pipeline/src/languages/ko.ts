import type { LanguageData } from './language-data.ts';

/** Korean. */
export const language: LanguageData = {
  tag: 'ko',
  name: 'Korean',
  pii: {
    cues: {
      ssn: '사회보장번호',
      credit_card: '카드, 신용카드',
      phone_number: '전화, 연락, 고객센터, 상담, 휴대폰, 핸드폰, 휴대전화, 팩스',
      email: '이메일',
      passport: '여권',
      ip_address: '주소',
      bank_account: '계좌, 은행',
      kr_rrn: '주민등록, 주민번호, jumin*',
    },
    accountWords: '계좌',
    numberedWords: '운송장, 주문, 송장',
  },
  injection: {
    override: {
      pattern: '(?:이전|위의|모든).{0,8}(?:지시|명령|지침).{0,6}(?:무시|잊)',
      needs: '무시, 잊',
    },
    questionOpenings: '어떻게',
    modelAddresses: '프롬프트',
    turnLabels: '사용자, 고객, 어시스턴트, 상담원',
  },
};
