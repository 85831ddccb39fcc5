import { hideNumber } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

/** IBANs, and numbers of bank accounts that a word names. */
export const bankAccount: PiiTypeDefinition<'bank_account'> = {
  type: 'bank_account',
  risk: 0.9,
  severity: 'high',
  hasDigit: true,
  mask: (value) => hideNumber(value, 4),
  cues: [
    'bank account*,account number*,account no,account num,account,acct*,a/c,acc no,acc,routing*,aba,rtn,iban*,bic,swift,bsb,ifsc,clabe*',
    'sort code,bank*,checking,savings,wire,transfer*,beneficiary,direct deposit,konto*,bankverbindung,blz,payroll,debit,transit',
    'bankleitzahl,uberweis*,compte,compte bancaire,rib,virement,cuenta*,transferencia,conto,conto corrente,nib',
    'conto bancario,bonifico,conta,conta bancaria,conta corrente,agencia,rekening*,bankrekening*,overboek*',
    'konta,numer konta,nr konta,rachun*,cislo uctu,uctu,szamlaszam,bankszamla*,tilinumero,hesap,hesap no,hesap numara*,tai khoan,so tai khoan,rekening bank,nomor rekening',
  ],
  scriptCues:
    '银行账,银行帐,銀行帳,账号,帳號,账户,帳戶,开户行,口座,預金,銀行,银行,계좌,은행,счет,счёт,р/с,банк,الحساب,حساب,الآيبان,آيبان,البنك,' +
    'חשבון,בנק,खाता,बैंक,λογαριασμ,ιβαν,τραπεζ,บัญชี',
  load: async () => {
    const { findBankAccount } = await import('../bank-account.ts');
    return () => findBankAccount;
  },
};
