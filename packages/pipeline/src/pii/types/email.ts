import { lazyPattern } from '../../lazy.ts';
import { hide } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

const ADDRESS = lazyPattern('^(\\P{M}\\p{M}*)(.*)(@.*)(\\.[^.@]+)$', 'su');

/** E-mail addresses. */
export const email: PiiTypeDefinition<'email'> = {
  type: 'email',
  risk: 0.5,
  severity: 'low',
  hasDigit: false,
  isGeneral: true,
  mask: maskEmail,
  cues: 'e mail, email, mail',
  load: async () => {
    const { findEmail } = await import('../email.ts');
    return () => findEmail;
  },
};

/** Keeps the first letter and the last label. */
function maskEmail(value: string): string {
  const [, first, name, host, label] = ADDRESS().exec(value) ?? [];
  if (first === undefined || name === undefined || host === undefined || label === undefined) {
    return hide(value);
  }
  return (name === '' ? hide(first) : first) + hide(name) + hide(host) + label;
}
