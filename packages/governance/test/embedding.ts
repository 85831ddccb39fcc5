import { createMemoryDatabase, createRuntime } from '@probity/core';
import { createGovernance, createMemoryGovernanceStorages } from '@probity/governance';
import { createPipeline } from '@probity/pipeline';

const database = createMemoryDatabase();
const governance = createGovernance(createRuntime({ database }), {
  ...createMemoryGovernanceStorages(database),
  pipeline: createPipeline(),
});
const app = { organizationId: 'org_acme', memberId: 'mem_app', keyId: 'key_app' };
const { scan } = await governance.scans.scan(
  { principal: { ...app, role: 'member', plan: 'free' }, requestId: 'req_1', address: null },
  { prompt: 'How do I pay?', response: 'Use my card, 4539 1488 0343 6467.' },
);
console.log(scan.verdict, scan.violation?.reason);
