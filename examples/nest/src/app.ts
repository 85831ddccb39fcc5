import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { createProbity } from '@probity/core';
import { governance } from '@probity/governance';
import { AppModule } from './app.module.ts';
import { callerOf, readUser } from './users.ts';

const probity = createProbity({
  database: 'sqlite:./app.db',
  authenticate: ({ raw }) => callerOf(raw), // { organizationId, memberId, role }, or null
  capabilities: [governance()],
});
await probity.migrate();
await probity.start();

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.use(readUser); // as middleware: Nest runs guards for its controllers only
app.use('/probity', probity.node); // before listen(), which registers Nest's parser and routes
await app.listen(Number(process.env.PORT ?? 3000));
