import { hide } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

/** Numbers of passports. */
export const passport: PiiTypeDefinition<'passport'> = {
  type: 'passport',
  risk: 0.85,
  severity: 'high',
  hasDigit: false,
  mask: (value) => hide(value, 2),
  cues: 'ppt',
  load: async () => {
    const { findPassport } = await import('../passport.ts');
    return () => findPassport;
  },
};
