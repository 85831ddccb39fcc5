export type { KnowledgeCapabilityOptions } from './capability.ts';
export { createKnowledgeCapability } from './capability.ts';
export { createKnowledgeRouter, knowledgeEndpoints } from './http.ts';
