import type { GroupDocumentation } from '@probity/core/koa';

/** Documentation of the governance endpoints. */
export const governanceDocumentation: GroupDocumentation = {
  tags: {
    Governance: 'Scans of prompts and responses, by the policies of the organization.',
    Alerts: 'Scans that need attention: personal data, hallucinations and violated policies.',
  },
};
