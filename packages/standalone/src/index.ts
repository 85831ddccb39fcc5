export { createApplication, dialectOf } from './application.ts';
export type {
  Environment,
  ServerConfig,
  ServerFlags,
  ServerRole,
} from './config.ts';
export { readConfig } from './config.ts';
export { migrations, openDatabase } from './database.ts';
export { StartFailure } from './failure.ts';
export type { Instance, InstanceDependencies } from './instance.ts';
export { createInstance } from './instance.ts';
export type { ServerDependencies } from './server.ts';
export { createServer } from './server.ts';
