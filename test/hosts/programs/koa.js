import Koa from 'koa';
import { drain, listening, OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

const { default: bodyParser } = await import(process.env.BODY_PARSER);
const parse = bodyParser({ jsonLimit: '2mb' });

const app = new Koa();
app.use(async (ctx, next) => {
  const mode = parserMode(ctx.headers);
  if (mode === 'host') return parse(ctx, next);
  if (mode === 'drain') await drain(ctx.req);
  return next();
});
app.use(probity.koa());
app.use((ctx) => {
  if (ctx.path === OWN_PAGE) ctx.body = OWN_TEXT;
});

await run(listening(app));
