import { contextOf, createProbity } from '@probity/core';
import { sessionOf } from '@probity/core/sql';
import { webhooks } from '@probity/webhooks';
import express from 'express';
import { z } from 'zod';
import { openDatabase } from './database.ts';
import { findUser } from './users.ts';

const db = openDatabase('shop.db');
const eventTypes = {
  'order.shipped': {
    description: 'An order has left the warehouse.',
    schema: z.strictObject({ orderId: z.string(), boxes: z.int(), tracking: z.string() }),
    example: { orderId: 'ord_1', boxes: 2, tracking: 'T1' },
  },
};
const probity = createProbity({
  database: db, // one connection for both, so that they share transactions
  authenticate: ({ headers }) => findUser(headers.authorization),
  capabilities: [webhooks({ eventTypes, egress: process.env.EGRESS })],
});
await probity.migrate(); // its tables begin with probity_
await probity.start(); // deliveries

const app = express();
app.use('/probity', probity.node); // the customers' webhooks: /probity/webhooks
app.use(express.json());
app.use((request, response, next) => {
  response.locals.user = findUser(request.headers.authorization);
  if (response.locals.user) next();
  else response.sendStatus(401);
});

app.post('/orders', async (request, response) => {
  const { id, boxes } = request.body;
  const company = response.locals.user.organizationId;
  await db.insertInto('orders').values({ id, company, boxes, shipped: 0 }).execute();
  response.sendStatus(201);
});

app.post('/orders/:id/ship', async (request, response) => {
  const { id } = request.params;
  const { tracking } = request.body;
  const session = await db.transaction().execute(async (trx) => {
    const { company, boxes } = await trx
      .updateTable('orders')
      .set({ shipped: 1 })
      .where((is) => is.and({ id, company: response.locals.user.organizationId, shipped: 0 }))
      .returningAll()
      .executeTakeFirstOrThrow(() => Object.assign(new Error('No such order'), { status: 404 }));
    const session = sessionOf(trx);
    const context = contextOf({ organizationId: company }, { session });
    const data = { orderId: id, boxes, tracking };
    await probity.services.webhooks.publish(context, { type: 'order.shipped', data });
    await trx.insertInto('labels').values({ tracking, order_id: id }).execute();
    return session;
  });
  session.committed(); // deliveries start at once instead of at the next poll
  response.sendStatus(204);
});
app.listen(Number(process.env.PORT ?? 3000));
