import { hide } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

/** Numbers of passports. */
export const passport: PiiTypeDefinition<'passport'> = {
  type: 'passport',
  risk: 0.85,
  severity: 'high',
  hasDigit: false,
  mask: (value) => hide(value, 2),
  cues: [
    'passport*,passport card*,pass no,pass nr,pass number,travel document*,reisepass*,passnummer,passnr,ausweisnummer,passeport*,ppt',
    'pasaporte*,passaporto*,passaporte*,paspoort*,documento de viaje,documento di viaggio,mein pass,deutscher pass',
    'schweizer pass,paszport*,pasnummer,pasnr,passin numero,passinumero,cislo pasu,cestovni pas,utlevel*,pasaport*',
    'ho chieu,paspor,nomor paspor,putovnic*,pas broj',
  ],
  scriptCues:
    '护照,護照,パスポート,旅券,여권,паспорт,загранпаспорт,جواز,الجواز,דרכון,पासपोर्ट,διαβατηρι,หนังสือเดินทาง,пашпорт',
  load: async () => {
    const { findPassport } = await import('../passport.ts');
    return () => findPassport;
  },
};
