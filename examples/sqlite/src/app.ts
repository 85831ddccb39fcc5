import { bodyParser } from '@koa/bodyparser';
import { contextOf, createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import Koa from 'koa';
import { addAnswer, answersOf, openDatabase } from './database.ts';
import { findUser } from './users.ts';

const db = openDatabase('app.db');
const probity = createProbity({
  database: db, // Probity opens connections of its own to the same file
  authenticate: ({ token }) => findUser(token), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate(); // its tables begin with probity_
await probity.start();

const app = new Koa();
app.use(bodyParser());
app.use(probity.koa());
app.use(async (ctx) => {
  const user = findUser(ctx.get('Authorization').replace('Bearer ', ''));
  if (ctx.path === '/') ctx.body = 'The page of the host.';
  else if (ctx.path !== '/answers' || user === null) ctx.status = 404;
  else if (ctx.method === 'GET') ctx.body = answersOf(db, user.organizationId);
  else {
    const { text } = ctx.request.body as { text: string };
    ctx.body = await receiveAnswer(user.organizationId, text);
  }
});
app.listen(Number(process.env.PORT ?? 3000));

/** Scans an answer of the host's model, and stores it in the host's table unless it is blocked. */
async function receiveAnswer(organizationId: string, response: string): Promise<object> {
  const { scan } = await probity.services.governance.scan(contextOf({ organizationId }), {
    response,
  });
  const isStored = scan.verdict !== 'blocked';
  if (isStored) addAnswer(db, { company: organizationId, text: response, scan_id: scan.id });
  return { verdict: scan.verdict, isStored };
}
