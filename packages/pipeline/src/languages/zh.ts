import type { LanguageData } from './language-data.ts';

/** Chinese. */
export const language: LanguageData = {
  tag: 'zh',
  name: 'Chinese',
  pii: {
    cues: {
      ssn: '社会安全号, 社会安全號',
      credit_card: '信用卡, 借记卡, 卡号, 卡號, 银联',
      phone_number:
        '电话, 電話, 手机, 手機, 拨打, 撥打, 致电, 致電, 联系, 聯絡, 傳真, 传真, 热线, 熱線, 客服',
      email: '邮箱, 郵箱, 邮件',
      passport: '护照, 護照',
      ip_address: '地址',
      bank_account: '银行账, 银行帐, 銀行帳, 账号, 帳號, 账户, 帳戶, 开户行, 銀行, 银行',
      cn_resident_id: '身份证, 身份證, 公民身份, shenfenzheng',
    },
    accountWords: '银行账, 银行帐, 銀行帳, 账号, 帳號, 账户, 帳戶',
    numberedWords: '订单, 訂單, 单号, 單號, 快递, 发票, 发货, 会员, 编号, 身份证',
  },
  injection: {
    override: {
      pattern: '(?:忽略|無視|无视|忘记|忘記|不要理会).{0,10}(?:指令|指示|说明|提示|规则|規則|説明)',
      needs: '忽略, 無視, 无视, 忘记, 忘記, 不要理会',
    },
    questionOpenings: '如何, 怎么, 怎样, 为什么, 能否',
    modelAddresses: '你, 您, 提示',
    turnLabels: '用户, 客户, 助手, 助理, 客服',
  },
};
