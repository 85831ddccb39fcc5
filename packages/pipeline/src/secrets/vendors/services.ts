import { isBech32 } from '../checksums.ts';
import type { InnerRow, NamedRow, PrefixedRow } from '../secret-row.ts';

/** Monitoring, work and design tools, social networks, encryption. */
export const SERVICES: readonly PrefixedRow[] = [
  {
    vendor: 'New Relic',
    type: 'api_key',
    opens: ['NRAK-', 'NRII-', 'NRIQ-', 'NRRA-', 'NRJS-'],
    body: '[A-Za-z0-9_-]{19,42}',
    accepts: (value) => /\d/.test(value),
    source: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
  },
  {
    vendor: 'Sentry',
    type: 'access_token',
    opens: ['sntrys_eyJ', 'sntryu_'],
    body: '[A-Za-z0-9+/=_]{60,600}',
    source: 'https://docs.sentry.io/account/auth-tokens/',
  },
  {
    vendor: 'Grafana',
    type: 'access_token',
    opens: ['glsa_'],
    body: '[A-Za-z0-9]{32}_[0-9a-f]{8}',
    source: 'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
  },
  {
    vendor: 'Grafana Cloud',
    type: 'access_token',
    opens: ['glc_eyJ'],
    body: '[A-Za-z0-9+/]{50,400}={0,2}',
    source:
      'https://grafana.com/docs/grafana-cloud/security-and-account-management/authentication-and-permissions/access-policies/',
  },
  {
    vendor: 'Dynatrace',
    type: 'access_token',
    opens: ['dt0c01.', 'dt0s01.', 'dt0s02.', 'dt0s16.'],
    body: '[A-Z0-9]{8,24}\\.[A-Z0-9]{64}',
    source:
      'https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens',
  },
  {
    vendor: 'Linear',
    type: 'api_key',
    opens: ['lin_api_', 'lin_oauth_'],
    body: '(?:[0-9a-f]{64}|[A-Za-z0-9]{40})',
    source: 'https://linear.app/developers/graphql',
  },
  {
    vendor: 'Notion',
    type: 'access_token',
    opens: ['ntn_', 'secret_'],
    body: '[A-Za-z0-9]{43,50}',
    accepts: (value) => /\d/.test(value) && /[A-Z]/.test(value),
    source: 'https://developers.notion.com/docs/authorization',
  },
  {
    vendor: 'Figma',
    type: 'access_token',
    opens: ['figd_', 'figu_', 'figo_'],
    body: '[A-Za-z0-9_-]{40,46}',
    source: 'https://developers.figma.com/docs/rest-api/authentication/',
  },
  {
    vendor: 'Airtable',
    type: 'access_token',
    opens: ['pat'],
    body: '[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
    source: 'https://airtable.com/developers/web/guides/personal-access-tokens',
  },
  {
    vendor: 'Asana',
    type: 'access_token',
    opens: ['1/', '2/'],
    body: '\\d{12,17}(?:/\\d{12,17})?:[0-9a-f]{32}',
    source: 'https://developers.asana.com/docs/personal-access-token',
  },
  {
    vendor: 'HubSpot',
    type: 'access_token',
    opens: ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'],
    body: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    source:
      'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/overview',
  },
  {
    vendor: 'Contentful',
    type: 'access_token',
    opens: ['CFPAT-'],
    body: '[A-Za-z0-9_-]{43}',
    source: 'https://www.contentful.com/developers/docs/references/authentication/',
  },
  {
    vendor: 'Typeform',
    type: 'access_token',
    opens: ['tfp_'],
    body: '[A-Za-z0-9_.=-]{40,60}',
    source: 'https://www.typeform.com/developers/get-started/personal-access-token/',
  },
  {
    vendor: 'Dropbox',
    type: 'access_token',
    opens: ['sl.'],
    body: '(?:u\\.)?[A-Za-z0-9_-]{130,1400}',
    source: 'https://developers.dropbox.com/oauth-guide',
  },
  {
    vendor: 'Mapbox',
    type: 'access_token',
    opens: ['sk.eyJ'],
    body: '[A-Za-z0-9_-]{20,200}\\.[A-Za-z0-9_-]{22}',
    source: 'https://docs.mapbox.com/help/dive-deeper/access-tokens/',
  },
  {
    vendor: 'Meta',
    type: 'access_token',
    opens: ['EAAG', 'EAAB', 'EAAC', 'EAAD', 'EAAJ', 'EAAM', 'EAAN'],
    body: '[A-Za-z0-9]{90,400}',
    source: 'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/',
  },
  {
    vendor: 'X',
    type: 'access_token',
    opens: ['AAAAAAAAAAAAAAAAAAAAA'],
    body: '[A-Za-z0-9%]{60,120}',
    accepts: (value) => value.includes('%'),
    source: 'https://docs.x.com/fundamentals/authentication/oauth-2-0/application-only',
  },
  {
    vendor: 'age',
    type: 'private_key',
    opens: ['AGE-SECRET-KEY-1'],
    body: '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}',
    check: isBech32,
    source: 'https://age-encryption.org/v1',
  },
];

/** Keys of the same field that have no form of their own. */
export const NAMED_SERVICES: readonly NamedRow[] = [
  {
    vendor: 'Datadog',
    type: 'api_key',
    names: ['datadog', 'dd_api', 'dd-api', 'dd_app', 'dd-application'],
    value: '(?:[0-9a-f]{40}|[0-9a-f]{32})',
    source: 'https://docs.datadoghq.com/account_management/api-app-keys/',
  },
  {
    vendor: 'Dropbox',
    type: 'api_key',
    names: ['dropbox'],
    value: '[a-z0-9]{15}',
    source: 'https://www.dropbox.com/developers/reference/getting-started',
  },
  {
    vendor: 'Algolia',
    type: 'api_key',
    names: ['algolia_admin', 'algolia_api', 'x-algolia-api-key'],
    value: '[0-9a-f]{32}',
    source: 'https://www.algolia.com/doc/guides/security/api-keys/',
  },
  {
    vendor: 'Okta',
    type: 'access_token',
    names: ['okta', 'ssws'],
    value: '00[A-Za-z0-9_-]{40}',
    source: 'https://developer.okta.com/docs/guides/create-an-api-token/main/',
  },
  {
    vendor: 'Sentry',
    type: 'access_token',
    names: ['sentry_auth', 'sentry auth'],
    value: '[0-9a-f]{64}',
    source: 'https://docs.sentry.io/account/auth-tokens/',
  },
  {
    vendor: 'Airtable',
    type: 'api_key',
    names: ['airtable'],
    value: 'key[A-Za-z0-9]{14}',
    source: 'https://airtable.com/developers/web/api/authentication',
  },
];

/** Keys of the same field whose mark stands inside. */
export const INNER_SERVICES: readonly InnerRow[] = [
  {
    vendor: 'New Relic',
    type: 'api_key',
    literal: 'NRAL',
    before: 36,
    value: '(?:[a-z]{2}\\d{2}xx|[0-9a-f]{6})[0-9a-f]{30}NRAL',
    source: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/#license-key',
  },
];
