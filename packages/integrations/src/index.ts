export { parseBaseUrl } from './base-url.ts';
export { parseCertificates } from './certificates.ts';
export type { HostIntegrations, IntegrationsSettings } from './definition.ts';
export { integrations } from './definition.ts';
export type {
  CheckIntegration,
  CheckStep,
  IntegrationCheck,
} from './integrations/checks.ts';
export type { MicrosoftEndpoints } from './integrations/clients.ts';
export { MICROSOFT_ENDPOINTS, sealedClientSecrets } from './integrations/clients.ts';
export type { IntegrationChanges } from './integrations/input.ts';
export type { Integrations } from './integrations/integrations.ts';
export type { IntegrationReads, IntegrationWrites } from './integrations/storage.ts';
export type {
  Connection,
  Integration,
  IntegrationStatus,
  IntegrationType,
  NewChatops,
  NewItsm,
  Routing,
  StoredChanges,
} from './integrations/types.ts';
export type { Incidents } from './itsm/incidents.ts';
export type { Incident, NewIncident } from './itsm/types.ts';
export { createMemoryIntegrationsStorage } from './memory.ts';
export { INTEGRATION_REQUESTS } from './remote/metrics.ts';
export { ROUTING_QUEUE } from './routing/queue.ts';
export { SUBSCRIBER_NAME } from './routing/subscriber.ts';
export type { PlanOf } from './routing/worker.ts';
export type { IntegrationsServices } from './services.ts';
export type { IntegrationsStorage } from './storage.ts';
