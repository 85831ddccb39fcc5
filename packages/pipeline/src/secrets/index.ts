export { findSecrets } from './find-secrets.ts';
export type { FoundSecret } from './found-secret.ts';
export type { SecretType } from './secret-row.ts';
export { createSecretsStage, SECRET_TYPES, SECRETS_STAGE } from './secrets-stage.ts';
