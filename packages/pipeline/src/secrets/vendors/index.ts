import type { InnerRow, NamedRow, PrefixedRow } from '../secret-row.ts';
import { AI, NAMED_AI } from './ai.ts';
import { INNER_AZURE, NAMED_AZURE } from './azure.ts';
import { CLOUDS, INNER_CLOUDS, NAMED_CLOUDS } from './clouds.ts';
import { CODE_HOSTING, NAMED_CODE_HOSTING } from './code-hosting.ts';
import { INNER_MESSAGING, MESSAGING, NAMED_MESSAGING } from './messaging.ts';
import { NAMED_PAYMENTS, PAYMENTS } from './payments.ts';
import { INNER_SERVICES, NAMED_SERVICES, SERVICES } from './services.ts';

/** Every form that begins with a literal. */
export const PREFIXED_ROWS: readonly PrefixedRow[] = [
  ...CODE_HOSTING,
  ...CLOUDS,
  ...AI,
  ...MESSAGING,
  ...PAYMENTS,
  ...SERVICES,
];

/** Every form that is known by a name before it. */
export const NAMED_ROWS: readonly NamedRow[] = [
  ...NAMED_CODE_HOSTING,
  ...NAMED_CLOUDS,
  ...NAMED_AZURE,
  ...NAMED_AI,
  ...NAMED_MESSAGING,
  ...NAMED_PAYMENTS,
  ...NAMED_SERVICES,
];

/** Every form with a literal inside. */
export const INNER_ROWS: readonly InnerRow[] = [
  ...INNER_CLOUDS,
  ...INNER_AZURE,
  ...INNER_MESSAGING,
  ...INNER_SERVICES,
];
