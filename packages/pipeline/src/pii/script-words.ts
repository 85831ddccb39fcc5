/** Words that name a bank account (see ACCOUNT_WORDS), in the form of `PiiTypeDefinition.scriptCues`. */
export const SCRIPT_ACCOUNT_WORDS =
  '银行账,银行帐,銀行帳,账号,帳號,账户,帳戶,口座,普通預金,当座預金,계좌,счет,счёт,р/с,الحساب,حساب,الآيبان,آيبان,חשבון,खाता,λογαριασμ,บัญชี';

/** Words for things that have a number of their own (see NUMBERED_WORDS). */
export const SCRIPT_NUMBERED_WORDS =
  '订单,訂單,单号,單號,快递,发票,发货,注文,お客様番号,伝票,会员,编号,身份证,운송장,주문,송장,заказ,счет фактура,номер заказа,трек,инн,طلب,الطلب,فاتورة,הזמנה,חשבונית,ऑर्डर,इनवॉइस,παραγγελια,τιμολογιο';
