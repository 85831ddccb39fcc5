import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { Incidents } from './incidents.ts';
import { newIncident } from './input.ts';

const incident = z
  .strictObject({
    id: z.string().describe('Id of the incident in the ITSM system (`sys_id`).'),
    number: z.string(),
    url: z.string().meta({ format: 'uri' }).describe('Address of the incident for people.'),
  })
  .meta({ id: 'Incident' });

/** Declares the endpoint of incidents (specification, "Integration set-up"). */
export function incidentEndpoints(incidents: Incidents): Endpoint[] {
  return [
    endpoint({
      tag: 'Integrations',
      rateLimit: 'general',
      method: 'POST',
      path: '/integrations/itsm/incidents',
      operationId: 'createIncident',
      summary: 'Create an incident',
      description:
        'Creates an incident in the connected ITSM system. With an Idempotency-Key, a call that is repeated after a ' +
        'failure does not create a second one.',
      permission: 'incidents:create',
      plan: 'enterprise',
      body: newIncident,
      responses: { 201: { description: 'The created incident', schema: dataObject(incident) } },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        return reply(201, { data: await incidents.create(context, body) });
      },
    }),
  ];
}
