import type { InnerRow, NamedRow } from '../secret-row.ts';

const MICROSOFT = 'https://github.com/microsoft/security-utilities';

/** Keys of Azure that have no form of their own. */
export const NAMED_AZURE: readonly NamedRow[] = [
  {
    vendor: 'Azure Storage',
    type: 'api_key',
    names: [
      'accountkey',
      'account key',
      'account_key',
      'storage_key',
      'storagekey',
      'azure_storage',
    ],
    value: '[A-Za-z0-9+/]{86}==',
    documented: /^Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1/,
    source: 'https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage',
  },
  {
    vendor: 'Azure SAS',
    type: 'access_token',
    names: ['sig'],
    between: '=|%3[dD]',
    value: '[A-Za-z0-9+/%]{42,70}(?:%3[dD]|=)',
    source: 'https://learn.microsoft.com/azure/storage/common/storage-sas-overview',
  },
  {
    vendor: 'Azure Service Bus',
    type: 'api_key',
    names: ['sharedaccesskey'],
    value: '[A-Za-z0-9+/]{43}=',
    source: 'https://learn.microsoft.com/azure/service-bus-messaging/service-bus-sas',
  },
];

/**
 * Keys of Azure whose mark stands inside. Most are identifiable keys: random bytes, four signs that name
 * the service, a checksum; their marks and lengths are those of Microsoft's own rules.
 */
export const INNER_AZURE: readonly InnerRow[] = [
  {
    vendor: 'Microsoft Entra ID',
    type: 'api_key',
    literal: 'Q~',
    before: 4,
    value: '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}',
    source: 'https://learn.microsoft.com/purview/sit-defn-azure-ad-client-secret',
  },
  {
    vendor: 'Azure DevOps',
    type: 'access_token',
    literal: 'AZDO',
    before: 76,
    value: '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}',
    source:
      'https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate',
  },
  {
    vendor: 'Azure',
    type: 'api_key',
    literal: 'JQQJ9',
    before: 52,
    value:
      '[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9][A-L][A-Za-z0-9]{16}[A-Za-z][A-Za-z0-9]{7}(?:[A-Za-z0-9]{2}==)?',
    source: MICROSOFT,
  },
  ...identifiable(76, '[A-Za-z0-9+/]{5}[AQgw]==', {
    '+ASt': 'Azure Storage',
    ACDb: 'Azure Cosmos DB',
    '+ABa': 'Azure Batch',
    APIM: 'Azure API Management',
  }),
  ...identifiable(33, '[A-P][A-Za-z0-9+/]{5}=', {
    AzCa: 'Azure Cache for Redis',
    '+ASb': 'Azure Service Bus',
    '+AEh': 'Azure Event Hubs',
    '+ARm': 'Azure Relay',
    AIoT: 'Azure IoT',
    AZEG: 'Azure Event Grid',
  }),
  ...identifiable(42, '[A-D][A-Za-z0-9+/]{5}', {
    '+ACR': 'Azure Container Registry',
    AzSe: 'Azure AI Search',
  }),
  ...identifiable(44, '[A-Za-z0-9_-]{5}[AQgw]==', { AzFu: 'Azure Functions' }),
];

/** Rows of keys in which a mark stands after `before` signs of base64, and before an expression. */
function identifiable(
  before: number,
  rest: string,
  vendors: Readonly<Record<string, string>>,
): InnerRow[] {
  return Object.entries(vendors).map(([literal, vendor]) => ({
    vendor,
    type: 'api_key' as const,
    literal,
    before,
    value: `[A-Za-z0-9+/_-]{${before}}${literal.replace('+', '\\+')}${rest}`,
    source: MICROSOFT,
  }));
}
