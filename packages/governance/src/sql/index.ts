export { governanceMigrations } from './migrations.ts';
export { createSqlGovernanceStorage } from './storage.ts';
