import type { PiiTypeDefinition } from '../pii-type.ts';

/** United States social security numbers. */
export const ssn: PiiTypeDefinition<'ssn'> = {
  type: 'ssn',
  risk: 0.95,
  severity: 'critical',
  hasDigit: true,
  cues: [
    'ssn*,social security card*,social security*,social insurance*,soc sec,social sec,ss no,ss number,ss#,social,tax id*,taxpayer id*',
    'socialsecurity*,s s n,sozialversicherung*,securite sociale,numero de secu,secu,seguro social,seguridad social',
    'previdenza sociale,seguranca social,burgerservice*,sociale zekerheid,sofinummer',
  ],
  scriptCues:
    '社会保障番号,社会安全号,社会安全號,사회보장번호,социального страхования,الضمان الاجتماعي,ביטוח לאומי',
  load: async () => {
    const { findSsn } = await import('../ssn.ts');
    return () => findSsn;
  },
};
