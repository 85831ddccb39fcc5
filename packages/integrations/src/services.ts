import type { CheckIntegration } from './integrations/checks.ts';
import type { Integrations } from './integrations/integrations.ts';
import type { Incidents } from './itsm/incidents.ts';

/** The services behind the endpoints. */
export interface IntegrationsServices {
  readonly integrations: Integrations;
  readonly incidents: Incidents;
  /** Tries a connection. */
  readonly check: CheckIntegration;
}
