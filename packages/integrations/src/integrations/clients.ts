import type { SealedValues, SecretBox } from '@probity/core';
import { createSealedValues } from '@probity/core/internal';
import type { OAuthClient } from '../remote/oauth.ts';
import type { IntegrationsStorage } from '../storage.ts';
import type { Connection, Integration } from './types.ts';

/** Where Microsoft's services are, which differs between its clouds. */
export interface MicrosoftEndpoints {
  /** Base URL of the token endpoints of tenants, without a trailing slash. */
  readonly authorityUrl: string;
  /** Base URL of Graph, without version and trailing slash; its scope of tokens is made from it. */
  readonly graphUrl: string;
}

/** Microsoft's worldwide cloud. */
export const MICROSOFT_ENDPOINTS: MicrosoftEndpoints = Object.freeze({
  authorityUrl: 'https://login.microsoftonline.com',
  graphUrl: 'https://graph.microsoft.com',
});

/** What is needed of an integration to authenticate as its client. */
type ClientFacts = Pick<Integration, 'type' | 'target' | 'clientId'>;

/** The OAuth client of an integration. */
export function clientOf(
  { type, target, clientId }: ClientFacts,
  clientSecret: string,
  { authorityUrl, graphUrl }: MicrosoftEndpoints,
): OAuthClient {
  const client = { clientId, clientSecret };
  if (type === 'itsm') return { ...client, tokenUrl: `${target}/oauth_token.do` };
  const tokenUrl = `${authorityUrl}/${encodeURIComponent(target)}/oauth2/v2.0/token`;
  return { ...client, tokenUrl, scope: `${graphUrl}/.default` };
}

/** The OAuth client of a stored integration. */
export function openClient(
  connection: Connection,
  secretBox: SecretBox,
  microsoft: MicrosoftEndpoints,
): OAuthClient {
  const secret = secretBox.open(connection.sealedSecret, secretPurpose(connection.id));
  return clientOf(connection, secret, microsoft);
}

/** The purpose for which the secret of an integration is sealed. */
export function secretPurpose(id: string): string {
  return `integration:${id}`;
}

/** The sealed secrets of integrations, for key rotation. */
export function sealedClientSecrets(storage: IntegrationsStorage): SealedValues {
  return createSealedValues(storage, {
    name: 'integration_secrets',
    purposeOf: secretPurpose,
    list: storage.listSealedClientSecrets,
    replaceOne: (tx, value) => tx.replaceSealedClientSecret(value),
  });
}
