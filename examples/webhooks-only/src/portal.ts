import { fileURLToPath } from 'node:url';
import { contextOf, createProbity } from '@probity/core';
import { webhooks } from '@probity/webhooks';
import express from 'express';
import { customerOf } from './session.ts';

const probity = createProbity({
  database: 'sqlite:./portal.db',
  authenticate: () => null, // this application lets in portal tokens only
  capabilities: [webhooks({ egress: process.env.EGRESS })],
});
await probity.migrate();
await probity.start();

const app = express();
app.use('/probity', probity.node);
app.use(express.static(fileURLToPath(new URL('../../public', import.meta.url))));
app.post('/webhook-token', async (request, response) => {
  const customer = customerOf(request); // of your login
  if (!customer) {
    response.sendStatus(401);
    return;
  }
  const { id: memberId, company: organizationId, role } = customer;
  const context = contextOf({ organizationId, memberId, role });
  const { token, expiresAt } = await probity.services.webhooks.createPortalToken(context, {
    capabilities: ['view', 'endpoint', 'secret', 'attempts'],
    expiresInSeconds: 900,
  });
  response.set('Cache-Control', 'no-store').json({ token, expiresAt });
});
app.listen(Number(process.env.PORT ?? 3000));
