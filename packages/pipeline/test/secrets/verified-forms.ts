import { FORMS, NAMED_FORMS } from './forms.ts';

/** A form that was read off a page of its vendor, and the address of that page. */
export interface VerifiedForm {
  readonly vendor: string;
  /** As in {@link FORMS}; a bar stands before the value where a name must precede it. */
  readonly form: string;
  readonly page: string;
}

const GITLAB = 'https://docs.gitlab.com/security/tokens/#token-prefixes';
const SENTRY = 'https://docs.sentry.io/security-legal-pii/security/token-formats/';
const BUILDKITE = 'https://buildkite.com/docs/platform/security/tokens';
const CLOUDFLARE = 'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats';
const GITHUB =
  'https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available';
const VAULT = 'https://developer.hashicorp.com/vault/docs/concepts/tokens#token-formats';
const TAILSCALE = 'https://tailscale.com/kb/1277/key-prefixes';
const DYNATRACE = 'https://docs.dynatrace.com/docs/shortlink/token';
const SHOPIFY = 'https://shopify.dev/changelog/length-of-the-shopify-access-token-is-increasing';
const SLACK = 'https://docs.slack.dev/authentication/tokens';
const AWS = 'https://docs.amazonaws.cn/goto/WebAPI/sts-2011-06-15/GetAccessKeyInfo';
const SOURCEGRAPH =
  'https://github.com/sourcegraph/sourcegraph-public-snapshot/blob/main/internal/accesstoken/personal_access_token.go';
const DIGITAL_OCEAN = 'https://docs.digitalocean.com/notes/2022/api-token-format';
const PLAID = 'https://support.plaid.com/hc/en-us/articles/360008413793-access-token-and-Item-FAQ';
const AGE = 'https://c2sp.org/age';

/**
 * The forms as the vendors' own pages give them (prefix, length, alphabet), or the source of the vendor that makes the
 * values, read on 2026-11-23. Where a page gives a part only, such as the prefix, the rest is as in {@link FORMS}.
 */
export const VERIFIED_FORMS: readonly VerifiedForm[] = [
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((prefix) => of('GitHub', `${prefix}_{b36}`, GITHUB)),
  of(
    'GitHub',
    'ghs_{d7}_eyJ{w20}.eyJ{w300}.{w160}',
    'https://docs.github.com/en/enterprise-server@3.22/apps/creating-github-apps/authenticating-with-a-github-app/generating-an-installation-access-token-for-a-github-app',
  ),
  of(
    'GitHub',
    'github_pat_{b22}_{b59}',
    'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats',
  ),
  ...['gldt', 'glptt', 'glft', 'glimt', 'glsoat', 'glffct', 'glwt', 'glagent', 'gloas'].map(
    (prefix) => of('GitLab', `${prefix}-{w40}`, GITLAB),
  ),
  ...['glpat', 'glrt', 'glrtr', 'glcbt'].map((prefix) => of('GitLab', `${prefix}-{w20}`, GITLAB)),
  of('GitLab', '_gitlab_session={l32}', GITLAB),
  ...['dop', 'doo', 'dor'].map((kind) => of('DigitalOcean', `${kind}_v1_{h64}`, DIGITAL_OCEAN)),
  of('PyPI', 'pypi-{w85}', 'https://docs.pypi.org/api/secrets/'),
  of('RubyGems', 'rubygems_{h48}', 'https://guides.rubygems.org/api-key-scopes/'),
  ...['ort', 'out', 'uut'].map((kind) =>
    of(
      'Packagist',
      `packagist_${kind}_{h68}`,
      'https://packagist.com/docs/composer-authentication#token-format',
    ),
  ),
  of(
    'CircleCI',
    'CCIPAT_{b22}_{h40}',
    'https://circleci.com/changelog/new-format-for-api-access-tokens/',
  ),
  of(
    'CircleCI',
    'CCIPRJ_{b21}_{h40}',
    'https://circleci.com/changelog/new-format-for-api-access-tokens/',
  ),
  of('Buildkite', 'bkua_{b53}', BUILDKITE),
  of('Buildkite', 'bkaa_{b75}', BUILDKITE),
  of('Buildkite', 'bkaj_{b241}', BUILDKITE),
  of('Buildkite', 'bkar_{b73}', BUILDKITE),
  of('Buildkite', 'bkct_{b73}', BUILDKITE),
  of('Buildkite', 'bkpt_{b199}', BUILDKITE),
  of('Buildkite', 'bkpat_{b54}', BUILDKITE),
  of('Buildkite', 'bkps_{b64}', BUILDKITE),
  ...['cfk', 'cfut', 'cfat'].map((prefix) => of('Cloudflare', `${prefix}_{b40}{h8}`, CLOUDFLARE)),
  ...['hvs', 'hvb', 'hvr'].map((prefix) => of('HashiCorp Vault', `${prefix}.{b24}`, VAULT)),
  ...['s', 'b', 'r'].map((kind) => of('HashiCorp Vault', `VAULT_TOKEN=|${kind}.{b24}`, VAULT)),
  ...['api', 'auth', 'client', 'scim', 'webhook'].map((kind) =>
    of('Tailscale', `tskey-${kind}-{b12}-{U18}`, TAILSCALE),
  ),
  of(
    'Supabase',
    'sb_secret_{b22}_{b8}',
    'https://www.supabase.com/docs/guides/getting-started/api-keys',
  ),
  of(
    'Azure DevOps',
    '{b76}AZDO{b4}',
    'https://learn.microsoft.com/purview/sit-defn-azure-devops-personal-access-token',
  ),
  of(
    'Azure Storage',
    'DefaultEndpointsProtocol = https;AccountName=a;AccountKey = |{x86}==',
    'https://learn.microsoft.com/en-us/purview/sit-defn-azure-storage-account-key',
  ),
  of(
    'Discord',
    'MTk4NjIyNDgzNDcxOTI1MjQ4.{b6}.{b27}',
    'https://discord.com/developers/docs/reference#authentication',
  ),
  of('Stripe', 'sk_live_{b24}', 'https://docs.stripe.com/api/authentication'),
  of('Stripe', 'sk_test_{b24}', 'https://docs.stripe.com/api/authentication'),
  ...['shpat', 'shpca', 'shppa'].map((prefix) => of('Shopify', `${prefix}_{h32}`, SHOPIFY)),
  of('Shopify', 'shpss_{h32}', 'https://shopify.dev/changelog/app-secret-key-length-has-increased'),
  ...['sntryu', 'sntrya', 'sntryi'].map((prefix) => of('Sentry', `${prefix}_{h64}`, SENTRY)),
  of('Sentry', 'sntrys_eyJ{b130}=_{x43}', SENTRY),
  of('Sentry', 'SENTRY_AUTH_TOKEN=|{h64}', SENTRY),
  of('Dynatrace', 'dt0s01.{A24}.{A64}', DYNATRACE),
  of(
    'Grafana',
    'glsa_{b32}_{h8}',
    'https://grafana.com/docs/grafana/latest/developers/http_api/serviceaccount/',
  ),
  of(
    'Grafana',
    'eyJrIjoi{b70}==',
    'https://grafana.com/docs/grafana/latest/developers/http_api/serviceaccount/',
  ),
  of(
    'LaunchDarkly',
    'sdk-{uuid}',
    'https://launchdarkly.com/docs/home/account/environment/keys.md',
  ),
  ...['AKIA', 'ASIA'].map((prefix) => of('AWS', `${prefix}{A16}`, AWS)),
  of(
    'SendGrid',
    'SG.{b22}.{w43}',
    'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
  ),
  of(
    'Databricks',
    'dapi{h32}',
    'https://learn.microsoft.com/en-us/azure/databricks/archive/dev-tools/cli/tokens-cli',
  ),
  of('Google', 'AIza{w35}', 'https://cloud.google.com/docs/authentication/api-keys'),
  of(
    'npm',
    'npm_{b30}{b6}',
    'https://github.blog/security/announcing-npms-new-access-token-format',
  ),
  of(
    'crates.io',
    'cio{b32}',
    'https://github.com/rust-lang/crates.io/blob/main/crates/crates_io_database/src/utils/token.rs',
  ),
  of('Sourcegraph', 'sgp_{h16}_{h40}', SOURCEGRAPH),
  of('Sourcegraph', 'sgp_local_{h40}', SOURCEGRAPH),
  of(
    'Clojars',
    'CLOJARS_{h60}',
    'https://github.com/clojars/clojars-web/blob/main/src/clojars/db.clj',
  ),
  of('Fly.io', 'fm2_{b200}', 'https://fly.io/docs/security/tokens/'),
  of('Mapbox', 'sk.eyJ{b60}.{w22}', 'https://docs.mapbox.com/help/glossary/access-token/'),
  of('Slack', 'xoxb-{d12}-{d13}-{b24}', SLACK),
  ...['xoxe.xoxp-1-{b160}', 'xoxe-1-{b140}'].map((form) =>
    of('Slack', form, 'https://docs.slack.dev/reference/methods/tooling.tokens.rotate'),
  ),
  ...['access', 'processor'].flatMap((kind) =>
    ['sandbox', 'development', 'production'].map((place) =>
      of('Plaid', `${kind}-${place}-{uuid}`, PLAID),
    ),
  ),
  of('age', 'AGE-SECRET-KEY-1{q58}', AGE),
  of('age', 'AGE-SECRET-KEY-PQ-1{q58}', AGE),
];

/** The vendors of forms that were not compared with a page. */
export function vendorsWithoutPage(): string[] {
  const verified = new Set(VERIFIED_FORMS.map(({ vendor }) => vendor));
  const vendors = new Set([...FORMS, ...NAMED_FORMS].map(([vendor]) => vendor));
  return [...vendors].filter((vendor) => !verified.has(vendor));
}

function of(vendor: string, form: string, page: string): VerifiedForm {
  return { vendor, form, page };
}
