import { describeHost } from './suite.js';

describeHost('Koa 2', {
  set: 'oldest',
  args: ['koa.js'],
  env: { BODY_PARSER: 'koa-bodyparser' },
});
describeHost('Koa 3', {
  set: 'newest',
  args: ['koa.js'],
  env: { BODY_PARSER: '@koa/bodyparser' },
});
describeHost('Express 4', { set: 'oldest', args: ['express.js'] });
describeHost('Express 5', { set: 'newest', args: ['express.js'] });
describeHost('Fastify with middie', { set: 'newest', args: ['fastify-middie.js'] });
describeHost('Fastify with reply.hijack', {
  set: 'newest',
  args: ['fastify-hijack.js'],
  parsesFirst: true,
  passesOn: false,
});
describeHost('node:http', { set: 'newest', args: ['node-http.js'] });
describeHost('Hono', { set: 'newest', args: ['hono.js'], passesOn: false });
describeHost('NestJS', { set: 'newest', args: ['nest.js'] });
