/**
 * A form of every row. Secrets are assembled when a test runs, so that no scanner takes this file for
 * a leak: `{h32}` stands for 32 hex digits, `b` base 62, `w` base64url, `d` digits, `A` Base32,
 * `x` base64, `q` Bech32, `l` small letters and digits, `U` capitals and digits, `{uuid}` a UUID.
 */
export const FORMS: readonly (readonly [vendor: string, form: string])[] = [
  ['GitLab', 'glpat-{w20}'],
  ['GitLab', 'gldt-{w20}'],
  ['GitLab', 'glrt-t1_{w27}.01.{l9}'],
  ['GitHub', 'github_pat_{b22}_{b59}'],
  ['Bitbucket', 'ATBB{b24}{H8}'],
  ['Atlassian', 'ATATT3xFfG{w180}'],
  ['GitLab', 'GR1348941{w20}'],
  ['GitLab', '_gitlab_session={l32}'],
  ['PyPI', 'pypi-AgEIcHlwaS5vcmc{w90}'],
  ['crates.io', 'cio{b32}'],
  ['NuGet', 'oy2{l43}'],
  ['Clojars', 'CLOJARS_{h60}'],
  ['Docker Hub', 'dckr_pat_{w27}'],
  ['JFrog Artifactory', 'AKCp{b69}'],
  ['JFrog Artifactory', 'cmVmdGtu{b56}'],
  ['Sourcegraph', 'sgp_{h16}_{h40}'],
  ['Octopus Deploy', 'API-{U26}'],
  ['Buildkite', 'bkua_{h40}'],
  ['SonarQube', 'squ_{h40}'],
  ['Pulumi', 'pul-{h40}'],
  ['Postman', 'PMAK-{h24}-{h34}'],
  ['AWS', 'AKIA{A16}'],
  ['AWS', 'ASIA{A16}'],
  ['AWS Bedrock', 'ABSK{b128}='],
  ['AWS Bedrock', 'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{b400}=='],
  ['Google', 'AIza{w35}'],
  ['Google OAuth', 'GOCSPX-{w28}'],
  ['Google OAuth', 'ya29.{w120}'],
  ['Alibaba Cloud', 'LTAI{b20}'],
  ['Tencent Cloud', 'AKID{b32}'],
  ['DigitalOcean', 'dop_v1_{h64}'],
  ['Heroku', 'HRKU-{uuid}'],
  ['Cloudflare', 'v1.0-{h24}-{h146}'],
  ['Fly.io', 'fo1_{w43}'],
  ['Fly.io', 'fm2_{b200}'],
  ['Netlify', 'nfp_{b36}'],
  ['Vercel', 'vercel_blob_rw_{b16}_{b30}'],
  ['Render', 'rnd_{b28}'],
  ['HashiCorp Vault', 'hvs.{w90}'],
  ['Databricks', 'dapi{h32}'],
  ['PlanetScale', 'pscale_tkn_{w43}'],
  ['Supabase', 'sbp_{h40}'],
  ['Supabase', 'sb_secret_{b22}_{b8}'],
  ['Neon', 'napi_{l64}'],
  ['Doppler', 'dp.pt.{b43}'],
  ['1Password', 'ops_eyJ{w400}'],
  ['OpenShift', 'sha256~{w43}'],
  ['Prefect', 'pnu_{b36}'],
  ['Harness', 'pat.{b22}.{h24}.{b20}'],
  ['OpenAI', 'sk-proj-{w74}T3BlbkFJ{w74}'],
  ['OpenAI', 'sk-{b20}T3BlbkFJ{b20}'],
  ['Anthropic', 'sk-ant-api03-{w95}'],
  ['OpenRouter', 'sk-or-v1-{h64}'],
  ['a service with keys in OpenAI\u2019s form', 'sk-{h32}'],
  ['Hugging Face', 'hf_{b34}'],
  ['Groq', 'gsk_{b52}'],
  ['xAI', 'xai-{b80}'],
  ['Perplexity', 'pplx-{b48}'],
  ['Replicate', 'r8_{b37}'],
  ['LangSmith', 'lsv2_pt_{h32}_{h10}'],
  ['Pinecone', 'pcsk_{b6}_{b63}'],
  ['NVIDIA', 'nvapi-{w64}'],
  ['Tavily', 'tvly-dev-{b32}'],
  ['Cerebras', 'csk-{l48}'],
  ['ElevenLabs', 'sk_{h48}'],
  ['Weights & Biases', 'wandb_v1_{b80}'],
  ['Langfuse', 'sk-lf-{uuid}'],
  ['Firecrawl', 'fc-{h32}'],
  ['Jina AI', 'jina_{w60}'],
  ['Slack', 'xoxb-{d12}-{d13}-{b24}'],
  ['Slack', 'xapp-1-{U11}-{d13}-{h64}'],
  ['Slack', 'https://hooks.slack.com/services/T{U9}/B{U9}/{b24}'],
  ['Discord', 'https://discord.com/api/webhooks/{d18}/{w68}'],
  [
    'Microsoft Teams',
    'https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}',
  ],
  ['Google Chat', 'https://chat.googleapis.com/v1/spaces/{b11}/messages?key=AIza{w35}&token={w43}'],
  ['Firebase Cloud Messaging', 'AAAA{w7}:APA91b{w134}'],
  ['Zapier', 'https://hooks.zapier.com/hooks/catch/{d7}/{l7}'],
  ['Telegram', '{d10}:AA{w33}'],
  ['Twilio', 'SK{h32}'],
  ['SendGrid', 'SG.{w22}.{w43}'],
  ['Mailgun', 'key-{l32}'],
  ['Brevo', 'xkeysib-{h64}-{b16}'],
  ['Resend', 're_{b8}_{b24}'],
  ['Mandrill', 'md-{b22}'],
  ['Stripe', 'sk_live_{b24}'],
  ['Stripe', 'rk_live_{b99}'],
  ['Stripe', 'whsec_{b32}'],
  ['Square', 'sq0csp-{w43}'],
  ['Square', 'EAAA{b60}'],
  ['PayPal Braintree', ['access_token', 'production', '{l16}', '{h32}'].join('$')],
  ['Plaid', 'access-production-{uuid}'],
  ['Shippo', 'shippo_live_{h40}'],
  ['EasyPost', 'EZAK{b54}'],
  ['Flutterwave', 'FLWSECK-{h32}-X'],
  ['New Relic', 'NRAK-{U27}'],
  ['Sentry', 'sntrys_eyJ{b120}'],
  ['Grafana Cloud', 'glc_eyJ{b120}'],
  ['Dynatrace', 'dt0c01.{U24}.{U64}'],
  ['Linear', 'lin_api_{b40}'],
  ['Notion', 'ntn_{b46}'],
  ['Figma', 'figd_{w40}'],
  ['Airtable', 'pat{b14}.{h64}'],
  ['Asana', '1/{d16}:{h32}'],
  ['HubSpot', 'pat-na1-{uuid}'],
  ['Contentful', 'CFPAT-{w43}'],
  ['Typeform', 'tfp_{w44}'],
  ['Dropbox', 'sl.{w140}'],
  ['Mapbox', 'sk.eyJ{w80}.{w22}'],
  ['Meta', 'EAAG{b180}'],
  ['X', 'AAAAAAAAAAAAAAAAAAAAA{b40}%3D{b40}'],
  ['PostHog', 'phx_{b43}'],
  ['ClickUp', 'pk_{d8}_{U32}'],
  ['ReadMe', 'rdme_{l70}'],
  ['Frame.io', 'fio-u-{w64}'],
  ['Adobe', 'p8e-{b32}'],
  ['Microsoft Entra ID', '{b3}8Q~{b34}'],
  ['Azure', '{b52}JQQJ99{b26}'],
  ['Azure Storage', '{b76}+ASt{b6}=='],
  ['Azure Container Registry', '{b42}+ACR{b6}'],
  ['MaxMind', '{b6}_{b29}_mmk'],
  ['Terraform Cloud', '{b14}.atlasv1.{b67}'],
  ['Mailchimp', '{h32}-us21'],
  ['New Relic', 'eu01xx{h30}NRAL'],
];

/** Forms that need a name before them; the value is what follows the bar. */
export const NAMED_FORMS: readonly (readonly [vendor: string, form: string])[] = [
  ['Snyk', 'SNYK_TOKEN=|{uuid}'],
  ['Codecov', 'codecov_token: |{uuid}'],
  ['Travis CI', 'TRAVIS_TOKEN="|{b22}"'],
  ['AWS', 'aws_secret_access_key = |{b40}'],
  ['AWS', '"SecretAccessKey": "|{b20}/{b19}"'],
  ['Azure Storage', 'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=|{b86}=='],
  ['Azure SAS', '?sv=2023-01-03&se=2030-01-01&sig=|{b42}%3D'],
  ['Azure Service Bus', 'SharedAccessKey=|{b43}='],
  ['Heroku', 'HEROKU_API_KEY=|{uuid}'],
  ['Cloudflare', 'CLOUDFLARE_API_TOKEN=|{b40}'],
  ['Fastly', 'Fastly-Key: |{b32}'],
  ['HashiCorp Vault', 'X-Vault-Token: |s.{b24}'],
  ['Scaleway', 'SCW_SECRET_KEY=|{uuid}'],
  ['Cohere', 'cohere_api_key: |{b40}'],
  ['Mistral', 'MISTRAL_API_KEY=|{b32}'],
  ['Weights & Biases', 'WANDB_API_KEY=|{h40}'],
  ['Twilio', 'TWILIO_AUTH_TOKEN=|{h32}'],
  ['Twilio', "twilio('AC1', '|{h32}')"],
  ['Mailgun', 'mailgun key: |{h32}-{h8}-{h8}'],
  ['Postmark', 'X-Postmark-Server-Token: |{uuid}'],
  ['PayPal', 'paypal_secret=|E{b79}'],
  ['Adyen', 'X-API-Key: |AQEy{b80}'],
  ['Datadog', 'DD_API_KEY=|{h32}'],
  ['Datadog', 'datadog:\n  app_key: |{h40}'],
  ['Dropbox', 'dropbox_app_secret=|{l15}'],
  ['Algolia', 'ALGOLIA_ADMIN_KEY=|{h32}'],
  ['Okta', 'Authorization: SSWS |00{b40}'],
  ['Sentry', 'SENTRY_AUTH_TOKEN=|{h64}'],
  ['Airtable', 'AIRTABLE_API_KEY=|key{b14}'],
];

const HEX = '0123456789abcdef';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Readonly<Record<string, string>> = {
  h: HEX,
  H: HEX.toUpperCase(),
  b: DIGITS + UPPER + LOWER,
  w: `${DIGITS}${UPPER}${LOWER}_-`,
  x: `${DIGITS}${UPPER}${LOWER}+/`,
  d: DIGITS,
  A: `${UPPER}234567`,
  l: DIGITS + LOWER,
  U: DIGITS + UPPER,
  q: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** Makes a source of signs that looks random and is the same at each run. */
export function createSigns(seed = 1): (alphabet: string, count: number) => string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return (alphabet, count) => {
    const from = ALPHABETS[alphabet] ?? alphabet;
    const signs = Array.from({ length: count }, () =>
      from.charAt(Math.floor(next() * from.length)),
    );
    // A value without digit, capital and small letter is no likely one.
    if (from.includes('A') && from.includes('a') && count > 8) signs.splice(3, 3, 'k', '7', 'Q');
    else if (from.includes('a') && from.includes('0') && count > 8)
      signs.splice(3, 3, 'd', '7', 'b');
    return signs.join('');
  };
}

/** Fills a form; `{uuid}` and `{h32}` become values. */
export function fill(form: string, signs: ReturnType<typeof createSigns>): string {
  return form
    .replaceAll('{uuid}', () => [8, 4, 4, 4, 12].map((count) => signs('h', count)).join('-'))
    .replace(/\{([a-zA-Z])(\d+)\}/g, (_, alphabet: string, count: string) =>
      signs(alphabet, Number(count)),
    );
}
