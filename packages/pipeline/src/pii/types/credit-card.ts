import { hideNumber } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

/** Numbers of payment cards. */
export const creditCard: PiiTypeDefinition<'credit_card'> = {
  type: 'credit_card',
  risk: 0.95,
  severity: 'critical',
  hasDigit: true,
  mask: (value) => hideNumber(value, 4),
  cues: `
    visa, mastercard, master card, amex, american express, discover, diners, jcb, maestro,
    unionpay, rupay, pan, cc, ccn*, cvv, cvc`,
  load: async () => {
    const { findCreditCard } = await import('../credit-card.ts');
    return () => findCreditCard;
  },
};
