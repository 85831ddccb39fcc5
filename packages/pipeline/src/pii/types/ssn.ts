import type { PiiTypeDefinition } from '../pii-type.ts';

/** United States social security numbers. */
export const ssn: PiiTypeDefinition<'ssn'> = {
  type: 'ssn',
  risk: 0.95,
  severity: 'critical',
  hasDigit: true,
  cues: 'ssn*, ss#, s s n',
  load: async () => {
    const { findSsn } = await import('../ssn.ts');
    return () => findSsn;
  },
};
