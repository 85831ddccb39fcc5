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
const MICROSOFT =
  'https://github.com/microsoft/security-utilities/tree/main/GeneratedRegexPatterns';
const CLAUDE = 'https://platform.claude.com/docs/en/manage-claude/compliance-api-access';
const HELICONE =
  'https://github.com/Helicone/helicone/blob/main/worker/src/lib/util/apiKeyRegex.ts';
const POLAR = 'https://github.com/polarsource/polar/blob/main/server/polar/kit/crypto.py';
const SUPABASE = 'https://github.com/supabase/cli/blob/develop/internal/utils/access_token.go';

/**
 * The forms as the vendors' own pages give them (prefix, length, alphabet), or the source of the vendor that makes the
 * values, read on 2026-11-23 and 2026-11-28. Where a page gives a part only, such as the prefix, the rest is as in {@link FORMS}.
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
  ...['api01', 'api03', 'admin01'].map((kind) => of('Anthropic', `sk-ant-${kind}-{w95}`, CLAUDE)),
  of('Replicate', 'r8_{b37}', 'https://replicate.com/docs/topics/security/api-tokens'),
  ...['pt', 'sk'].map((kind) =>
    of(
      'LangSmith',
      `lsv2_${kind}_{h32}_{h10}`,
      'https://docs.langchain.com/langsmith/llm-gateway-authentication',
    ),
  ),
  of(
    'Langfuse',
    'sk-lf-{uuid}',
    'https://github.com/langfuse/langfuse/blob/main/packages/shared/src/server/auth/apiKeys.ts',
  ),
  of(
    'Pydantic Logfire',
    'pylf_v1_eu_{b44}',
    'https://github.com/pydantic/logfire/blob/main/logfire/_internal/auth.py',
  ),
  of(
    'PostHog',
    'phx_{b43}',
    'https://github.com/PostHog/posthog/blob/master/posthog/models/utils.py',
  ),
  of(
    'OpenRouter',
    'sk-or-v1-{h64}',
    'https://openrouter.ai/docs/guides/features/guardrails/secret-formats',
  ),
  of(
    'Google AI Studio',
    'AQ.Ab{w48}',
    'https://discuss.ai.google.dev/t/gemini-api-key-start-from-aq/171575',
  ),
  ...['sk-helicone', 'pk-helicone', 'sk-helicone-eu', 'pk-helicone-rl', 'sk-helicone-eu-rl'].map(
    (prefix) => of('Helicone', `${prefix}-{l7}-{l7}-{l7}-{l7}`, HELICONE),
  ),
  of(
    'E2B',
    'e2b_{h40}',
    'https://github.com/e2b-dev/infra/blob/main/packages/shared/pkg/keys/key.go',
  ),
  of(
    'Weights & Biases',
    'WANDB_API_KEY=|{h40}',
    'https://github.com/wandb/wandb/blob/main/wandb/sdk/lib/wbauth/validation.py',
  ),
  ...['sbp', 'sbp_oauth'].map((prefix) => of('Supabase', `${prefix}_{h40}`, SUPABASE)),
  of('Polar', 'polar_oat_{b43}', POLAR),
  of(
    'Paddle',
    'pdl_live_apikey_{l26}_{b22}_{b3}',
    'https://developer.paddle.com/api-reference/about/authentication/',
  ),
  ...['live', 'test'].map((kind) =>
    of(
      'Mollie',
      `mollie_api_key: |${kind}_{b30}`,
      'https://github.com/mollie/mollie-api-php/blob/master/src/Http/Auth/ApiKeyAuthenticator.php',
    ),
  ),
  of(
    'DataStax Astra',
    'AstraCS:{b24}:{h64}',
    'https://github.com/datastax/astra-cli/blob/main/src/main/java/com/dtsx/astra/cli/core/models/AstraToken.java',
  ),
  ...['dev', 'stg', 'prod', 'preview'].map((place) =>
    of(
      'Trigger.dev',
      `tr_${place}_ak_{b24}`,
      'https://github.com/triggerdotdev/trigger.dev/blob/main/packages/core/src/v3/apiKeys.ts',
    ),
  ),
  ...['xaat', 'xapt'].map((prefix) =>
    of(
      'Axiom',
      `${prefix}-{uuid}`,
      'https://github.com/axiomhq/axiom-go/blob/main/internal/config/token.go',
    ),
  ),
  of(
    'Bitwarden',
    '0.{uuid}.{b30}:{x22}==',
    'https://github.com/bitwarden/sdk-internal/blob/main/crates/bitwarden-core/src/auth/access_token.rs',
  ),
  of('DeepL', '{uuid}:fx', 'https://github.com/DeepLcom/deepl-python/blob/main/deepl/util.py'),
  of('NuGet', 'oy2{n43}', MICROSOFT),
  ...['9', 'D', 'H'].map((kind) => of('Azure', `{b52}JQQJ9${kind}BK{b16}A{b7}`, MICROSOFT)),
  of('Azure Storage', '{x76}+ASt{x5}A==', MICROSOFT),
  of('Azure Cosmos DB', '{x76}ACDb{x5}w==', MICROSOFT),
  of('Azure Batch', '{x76}+ABa{x5}Q==', MICROSOFT),
  of('Azure API Management', '{x76}APIM{x5}g==', MICROSOFT),
  of('Azure Cache for Redis', '{x33}AzCaB{x5}=', MICROSOFT),
  of('Azure Service Bus', '{x33}+ASbP{x5}=', MICROSOFT),
  of('Azure Event Hubs', '{x33}+AEhC{x5}=', MICROSOFT),
  of('Azure Relay', '{x33}+ARmD{x5}=', MICROSOFT),
  of('Azure IoT', '{x33}AIoTE{x5}=', MICROSOFT),
  of('Azure Event Grid', '{x33}AZEGA{x5}=', MICROSOFT),
  of('Azure Functions', '{w44}AzFu{w5}A==', MICROSOFT),
  of('Azure AI Search', '{b42}AzSeA{b5}', MICROSOFT),
  of('Azure Container Registry', '{x42}+ACRD{x5}', MICROSOFT),
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
