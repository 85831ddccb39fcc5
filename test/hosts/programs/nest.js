import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { json } from 'express';
import { drain, OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

class OwnController {
  page() {
    return OWN_TEXT;
  }
}
Get(OWN_PAGE)(
  OwnController.prototype,
  'page',
  Object.getOwnPropertyDescriptor(OwnController.prototype, 'page'),
);
Controller()(OwnController);

class AppModule {}
Module({ controllers: [OwnController] })(AppModule);

const parse = json({ limit: '2mb' });
const app = await NestFactory.create(AppModule, { logger: false });
// Nest registers its own parser when it listens, after what is mounted here.
app.use((request, response, next) => {
  const mode = parserMode(request.headers);
  if (mode === 'host') parse(request, response, next);
  else if (mode === 'drain') drain(request).then(next, next);
  else next();
});
app.use('/probity', probity.node);

await run(async () => {
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port, close: () => app.close() };
});
