import { hideNumber } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

/** IBANs, and numbers of bank accounts that a word names. */
export const bankAccount: PiiTypeDefinition<'bank_account'> = {
  type: 'bank_account',
  risk: 0.9,
  severity: 'high',
  hasDigit: true,
  mask: (value) => hideNumber(value, 4),
  cues: 'aba, rtn, iban*, bic, swift, bsb, ifsc, clabe*',
  load: async () => {
    const { findBankAccount } = await import('../bank-account.ts');
    return () => findBankAccount;
  },
};
