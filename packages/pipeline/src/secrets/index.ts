export type { StageSettings, StageValue } from '../config.ts';
export { findSecrets } from './find-secrets.ts';
export type { FoundSecret } from './found-secret.ts';
export type { SecretType } from './secret-row.ts';
export { SECRET_TYPES, type SecretsOptions, secrets } from './secrets-stage.ts';
