import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the governance endpoints. */
export const governanceDocumentation: GroupDocumentation = {
  examples,
  tags: {
    Governance: 'Scans of prompts and responses, by the policies of the organization.',
    Policies:
      'Rules that decide what happens to what scans find: block, redact, flag or allow. Every change makes a version.',
    Certificates:
      'Texts held against the knowledge base, and certificates of those that it supports, which everyone can check.',
    Doors:
      'Scans for gateways that have a protocol of their own: LiteLLM, agentgateway, Portkey, OpenAI.',
    Alerts: 'Scans that need attention: personal data, hallucinations and violated policies.',
  },
};
