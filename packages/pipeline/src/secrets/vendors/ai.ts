import type { NamedRow, PrefixedRow } from '../secret-row.ts';

const hasDigit = (value: string) => /\d/.test(value);

/** Model providers and what stands around them. */
export const AI: readonly PrefixedRow[] = [
  {
    vendor: 'OpenAI',
    type: 'api_key',
    opens: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sk-'],
    body: '[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100}',
    source: 'https://platform.openai.com/docs/api-reference/authentication',
  },
  {
    vendor: 'Anthropic',
    type: 'api_key',
    opens: ['sk-ant-'],
    body: '(?:api|admin|oat|ort|sid)\\d{2}-[A-Za-z0-9_-]{80,120}',
    source: 'https://docs.anthropic.com/en/api/overview#authentication',
  },
  {
    vendor: 'OpenRouter',
    type: 'api_key',
    opens: ['sk-or-v1-'],
    body: '[0-9a-f]{64}',
    source: 'https://openrouter.ai/docs/api-reference/authentication',
  },
  {
    vendor: 'a service with keys in OpenAI\u2019s form',
    type: 'api_key',
    opens: ['sk-'],
    body: '(?:[A-Za-z0-9]{48}|[0-9a-f]{32})',
    accepts: hasDigit,
    score: 0.85,
    source: 'https://api-docs.deepseek.com/',
  },
  {
    vendor: 'Hugging Face',
    type: 'access_token',
    opens: ['hf_', 'api_org_'],
    body: '[A-Za-z0-9]{34}',
    source: 'https://huggingface.co/docs/hub/security-tokens',
  },
  {
    vendor: 'Groq',
    type: 'api_key',
    opens: ['gsk_'],
    body: '[A-Za-z0-9]{52}',
    source: 'https://console.groq.com/docs/quickstart',
  },
  {
    vendor: 'xAI',
    type: 'api_key',
    opens: ['xai-'],
    body: '[A-Za-z0-9]{70,84}',
    source: 'https://docs.x.ai/docs/overview',
  },
  {
    vendor: 'Perplexity',
    type: 'api_key',
    opens: ['pplx-'],
    body: '[A-Za-z0-9]{48,56}',
    source: 'https://docs.perplexity.ai/guides/getting-started',
  },
  {
    vendor: 'Replicate',
    type: 'access_token',
    opens: ['r8_'],
    body: '[A-Za-z0-9]{37}',
    source: 'https://replicate.com/docs/topics/security/api-tokens',
  },
  {
    vendor: 'LangSmith',
    type: 'api_key',
    opens: ['lsv2_pt_', 'lsv2_sk_'],
    body: '[0-9a-f]{32}_[0-9a-f]{10}',
    source:
      'https://docs.smith.langchain.com/administration/how_to_guides/organization_management/create_account_api_key',
  },
  {
    vendor: 'Pinecone',
    type: 'api_key',
    opens: ['pcsk_'],
    body: '[A-Za-z0-9]{4,8}_[A-Za-z0-9]{60,70}',
    source: 'https://docs.pinecone.io/guides/projects/manage-api-keys',
  },
  {
    vendor: 'NVIDIA',
    type: 'api_key',
    opens: ['nvapi-'],
    body: '[A-Za-z0-9_-]{60,70}',
    source: 'https://docs.api.nvidia.com/',
  },
  {
    vendor: 'Tavily',
    type: 'api_key',
    opens: ['tvly-', 'tvly-dev-', 'tvly-prod-'],
    body: '[A-Za-z0-9]{32}',
    source: 'https://docs.tavily.com/documentation/quickstart',
  },
  {
    vendor: 'Cerebras',
    type: 'api_key',
    opens: ['csk-'],
    body: '[a-z0-9]{48}',
    source: 'https://inference-docs.cerebras.ai/quickstart',
  },
  {
    vendor: 'ElevenLabs',
    type: 'api_key',
    opens: ['sk_'],
    body: '[0-9a-f]{48}',
    source: 'https://elevenlabs.io/docs/api-reference/authentication',
  },
  {
    vendor: 'Weights & Biases',
    type: 'api_key',
    opens: ['wandb_v1_'],
    body: '[A-Za-z0-9_]{70,90}',
    source: 'https://docs.wandb.ai/',
  },
  {
    vendor: 'Langfuse',
    type: 'api_key',
    opens: ['sk-lf-'],
    body: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    source: 'https://langfuse.com/docs/api',
  },
  {
    vendor: 'Firecrawl',
    type: 'api_key',
    opens: ['fc-'],
    body: '[0-9a-f]{32}',
    source: 'https://docs.firecrawl.dev/api-reference/introduction',
  },
  {
    vendor: 'Jina AI',
    type: 'api_key',
    opens: ['jina_'],
    body: '[A-Za-z0-9_-]{50,80}',
    accepts: hasDigit,
    source: 'https://jina.ai/embeddings/',
  },
];

/** Model providers whose keys have no form of their own. */
export const NAMED_AI: readonly NamedRow[] = [
  {
    vendor: 'Cohere',
    type: 'api_key',
    names: ['cohere', 'co_api_key'],
    value: '(?![0-9a-f]{40})[A-Za-z0-9]{40}',
    source: 'https://docs.cohere.com/reference/about',
  },
  {
    vendor: 'Mistral',
    type: 'api_key',
    names: ['mistral_api', 'mistral api', 'mistralapi'],
    value: '[A-Za-z0-9]{32}',
    source: 'https://docs.mistral.ai/getting-started/quickstart/',
  },
  {
    vendor: 'Weights & Biases',
    type: 'api_key',
    names: ['wandb'],
    value: '[0-9a-f]{40}',
    source: 'https://docs.wandb.ai/',
  },
];
