import type { PiiTypeDefinition } from '../pii-type.ts';

/** Telephone numbers. */
export const phoneNumber: PiiTypeDefinition<'phone_number'> = {
  type: 'phone_number',
  risk: 0.5,
  severity: 'medium',
  hasDigit: true,
  isReadAgain: true,
  cues: 'tel, fax*, sms, whatsapp, gsm, msisdn, tel no',
  load: async () => (await import('../phone-number.ts')).createPhoneDetector,
};
