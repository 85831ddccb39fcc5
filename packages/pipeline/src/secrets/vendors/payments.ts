import { endsInBase62Crc } from '../checksums.ts';
import { isBinary } from '../placeholders.ts';
import type { NamedRow, PrefixedRow } from '../secret-row.ts';

/** Payment and shops. Keys for tests are reported with less confidence by {@link isForTests}. */
export const PAYMENTS: readonly PrefixedRow[] = [
  {
    vendor: 'Stripe',
    type: 'api_key',
    opens: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_org_live_', 'sk_org_test_'],
    body: '[A-Za-z0-9]{16,247}',
    source: 'https://docs.stripe.com/keys',
  },
  {
    vendor: 'Stripe',
    type: 'api_key',
    opens: ['whsec_'],
    body: '[A-Za-z0-9+/]{32,88}={0,2}',
    source: 'https://docs.stripe.com/webhooks#verify-events',
  },
  {
    vendor: 'Square',
    type: 'access_token',
    opens: ['sq0atp-', 'sq0csp-'],
    body: '[A-Za-z0-9_-]{22,44}',
    source: 'https://developer.squareup.com/docs/build-basics/access-tokens',
  },
  {
    vendor: 'Square',
    type: 'access_token',
    opens: ['EAAA'],
    body: '[A-Za-z0-9_-]{60}',
    accepts: (value) => /\d/.test(value) && /[a-z]/.test(value) && !isBinary(value.slice(4)),
    source: 'https://developer.squareup.com/docs/build-basics/access-tokens',
  },
  {
    vendor: 'PayPal Braintree',
    type: 'access_token',
    opens: ['access_token$production$', 'access_token$sandbox$'],
    body: '[0-9a-z]{16}\\$[0-9a-f]{32}',
    source:
      'https://developer.paypal.com/braintree/articles/control-panel/important-gateway-credentials',
  },
  {
    vendor: 'Plaid',
    type: 'access_token',
    opens: ['access', 'processor'].flatMap((kind) =>
      ['sandbox', 'development', 'production'].map((place) => `${kind}-${place}-`),
    ),
    // A UUID; that of the example has letters beyond f and a short end.
    body: '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|7c69d345-hda9-ka68-ahs3-e9317406a2)',
    documented: /-hda9-ka68-ahs3-/,
    source: 'https://support.plaid.com/hc/en-us/articles/360008413793-access-token-and-Item-FAQ',
  },
  {
    vendor: 'Shopify',
    type: 'access_token',
    opens: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'],
    body: '[0-9a-fA-F]{32}',
    source: 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens',
  },
  {
    vendor: 'Shippo',
    type: 'access_token',
    opens: ['shippo_live_', 'shippo_test_'],
    body: '[0-9a-f]{40}',
    source: 'https://docs.goshippo.com/docs/guides_general/authentication/',
  },
  {
    vendor: 'EasyPost',
    type: 'api_key',
    opens: ['EZAK', 'EZTK'],
    body: '[A-Za-z0-9]{54}',
    source: 'https://docs.easypost.com/docs/authentication',
  },
  {
    vendor: 'Flutterwave',
    type: 'api_key',
    opens: ['FLWSECK-', 'FLWSECK_TEST-'],
    body: '[0-9a-h]{32}-(?:[0-9a-z]{8,16}-)?X',
    source: 'https://developer.flutterwave.com/docs/authentication',
  },
  {
    vendor: 'Paddle',
    type: 'api_key',
    opens: ['pdl_live_apikey_', 'pdl_sdbx_apikey_'],
    body: '[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}',
    documented: /^pdl_live_apikey_01gtgztp8f4kek3yd4g1wrksa3_/,
    source: 'https://developer.paddle.com/api-reference/about/api-keys',
  },
  {
    vendor: 'Polar',
    type: 'access_token',
    opens: ['polar_oat_'],
    body: '[A-Za-z0-9]{43}',
    check: endsInBase62Crc,
    source: 'https://github.com/polarsource/polar/blob/main/server/polar/kit/crypto.py',
  },
  {
    vendor: 'Polar',
    type: 'access_token',
    // Those from before 2025 have no checksum.
    opens: [
      'polar_pat_',
      'polar_at_u_',
      'polar_at_o_',
      'polar_rt_u_',
      'polar_rt_o_',
      'polar_cs_',
      'polar_crt_',
    ],
    body: '[A-Za-z0-9_-]{43}',
    source: 'https://github.com/polarsource/polar/blob/main/server/polar/kit/crypto.py',
  },
  {
    vendor: 'Mercury',
    type: 'access_token',
    opens: ['mercury_production_', 'mercury_sandbox_'],
    body: '[a-z]{2,5}_[A-Za-z0-9]{40,50}_yrucrem',
    source: 'https://docs.mercury.com/docs/getting-started',
  },
  {
    vendor: 'Duffel',
    type: 'access_token',
    opens: ['duffel_live_', 'duffel_test_'],
    body: '[A-Za-z0-9_-]{43}',
    source: 'https://duffel.com/docs/api/overview/test-mode',
  },
];

/** Keys of the same field that have no form of their own. */
export const NAMED_PAYMENTS: readonly NamedRow[] = [
  {
    vendor: 'PayPal',
    type: 'api_key',
    names: ['paypal'],
    value: 'E[A-Za-z0-9_-]{79}',
    source: 'https://developer.paypal.com/api/rest/',
  },
  {
    vendor: 'Adyen',
    type: 'api_key',
    names: ['adyen', 'x-api-key'],
    value: 'AQE[a-z][A-Za-z0-9+/=-]{60,200}',
    source: 'https://docs.adyen.com/development-resources/api-credentials/',
  },
  {
    vendor: 'Mollie',
    type: 'api_key',
    names: ['mollie'],
    value: '(?:live|test)_[A-Za-z0-9]{30,60}',
    source:
      'https://github.com/mollie/mollie-api-php/blob/master/src/Http/Auth/ApiKeyAuthenticator.php',
  },
];

const FOR_TESTS = /(?:^|[_$-])(?:test|sandbox|sdbx|TEST)[_$-]/;

/** Whether a value says itself that it opens nothing but a test account. */
export function isForTests(value: string): boolean {
  return FOR_TESTS.test(value.slice(0, 24));
}
