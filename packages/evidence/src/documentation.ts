import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the evidence endpoints. */
export const evidenceDocumentation: GroupDocumentation = {
  examples,
  tags: {
    'AI systems': 'The AI systems of the organization, by which evidence and coverage are ordered.',
    Evidence: 'Tamper-evident records of tests, and the obligations that they support.',
  },
};
