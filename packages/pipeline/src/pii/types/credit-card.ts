import { hideNumber } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

/** Numbers of payment cards. */
export const creditCard: PiiTypeDefinition<'credit_card'> = {
  type: 'credit_card',
  risk: 0.95,
  severity: 'critical',
  hasDigit: true,
  mask: (value) => hideNumber(value, 4),
  cues: [
    'card*,credit card*,debit card*,creditcard*,visa,mastercard,master card,amex,american express,discover',
    'diners,jcb,maestro,unionpay,rupay,pan,cc,cc number,ccn*,charge,charged,cvv,cvc,expires,expiry,exp',
    'kreditkarte*,karte,kartennummer,carte,carte bancaire,carte de credit,tarjeta*,tarjeta de credito',
    'carta di credito,carta,cartao,cartao de credito,kaart,kaartnummer,creditkaart*',
    'karty,karta,karte platnicz*,kort,kortnummer,kortnr,kredittkort*,kreditkort*,kart,kart numara*,kredi kart*,luottokor*',
  ],
  scriptCues:
    '信用卡,借记卡,卡号,卡號,银联,カード,クレジット,카드,신용카드,карт,номер карты,بطاقة,الائتمان,כרטיס אשראי,क्रेडिट कार्ड,कार्ड,πιστωτικη,καρτα,บัตรเครดิต',
  load: async () => {
    const { findCreditCard } = await import('../credit-card.ts');
    return () => findCreditCard;
  },
};
