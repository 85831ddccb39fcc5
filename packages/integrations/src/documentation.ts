import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the endpoints of integrations. */
export const integrationsDocumentation: GroupDocumentation = {
  examples,
  tags: {
    Integrations: 'ServiceNow and Microsoft Teams: incidents, and where alerts are sent.',
  },
};
