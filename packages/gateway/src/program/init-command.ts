import { writeFileSync } from 'node:fs';
import type { Environment } from '../config/substitution.ts';
import type { ProgramContext } from './context.ts';
import { UsageError } from './context.ts';

/** Where `init` writes without `--config`. */
const DEFAULT_FILE = 'gateway.yaml';

/** Providers of the first file, and the variables of their API keys. */
const PROVIDERS = [
  {
    id: 'openai',
    variable: 'OPENAI_API_KEY',
    models: "{'*': {enabled: true}} # every model; or by name: gpt-5: {enabled: true}",
  },
  {
    id: 'anthropic',
    variable: 'ANTHROPIC_API_KEY',
    models: "{'*': {enabled: true}} # every model; or by name: claude-sonnet-5-5: {enabled: true}",
  },
  {
    id: 'mistral',
    variable: 'MISTRAL_API_KEY',
    models:
      "{mistral-large-latest: {enabled: true}} # or '*' for every model, called as mistral/MODEL",
  },
] as const;

/**
 * `init`: writes an annotated first configuration, and never over a file that exists.
 *
 * @throws UsageError when the file exists or cannot be written
 */
export function initCommand(given: string | undefined, { env, out, err }: ProgramContext): 0 {
  const file = given ?? DEFAULT_FILE;
  try {
    writeFileSync(file, firstFile(env), { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new UsageError(`${file} exists and was left as it is; give another --config FILE`);
    }
    throw new UsageError(`cannot write ${file}${code ? ` (${code})` : ''}`);
  }
  out(`${file}\n`);
  err(
    [
      `probity-gateway: wrote ${file}. Next:`,
      `  probity-gateway key create --config ${file}   # prints an API key, once`,
      `  probity-gateway check --config ${file}        # calls each provider once`,
      `  probity-gateway --config ${file}`,
      '',
    ].join('\n'),
  );
  return 0;
}

function firstFile(env: Environment): string {
  const isSet = ({ variable }: (typeof PROVIDERS)[number]) => Boolean(env[variable]);
  const providers = PROVIDERS.flatMap((each) => {
    const { id, variable, models } = each;
    const lines = [
      `    ${id}:`,
      '      enabled: true',
      `      api_key: \${${variable}}`,
      `      models: ${models}`,
    ];
    // A variable that is not set would be an error.
    return isSet(each) ? lines : lines.map((line) => `    # ${line.slice(4)}`);
  });
  return `# The first configuration of probity-gateway. A key that is left out has its default; all keys are in
# gateway.example.yaml. Check the file with: probity-gateway --validate-config FILE

server:
  host: 127.0.0.1 # this machine alone; 0.0.0.0 lets other machines connect
  port: 50052 # gRPC

monitoring:
  health_check:
    port: 8080 # HTTP: /health, scans at /api/v1/governance/scan, models at /v1
  prometheus:
    port: 9090 # /metrics

scanning:
  stages: # in the order in which they run; a stage that is not listed is off
    - name: truth_scan
    - name: pii_scanner
    - name: injection_scanner
    - name: toxicity_scanner
    - name: contamination_check
    - name: hallucination_detector
    - name: output_truth_scanner
    - {name: secrets_scanner, threshold: 1} # flags keys and tokens; without the threshold they block
  thresholds: # scores from 0 to 1 from which a scan is blocked
    pii_risk: 0.6
    injection_score: 0.5
    toxicity_score: 0.7
    hallucination_score: 0.8 # flags; action: block of its stage blocks

models:
  redact: off # mask replaces personal data by placeholders, instead of blocking
  # Remove the # of a provider after setting the variable of its API key. Others need base_url, such as
  # https://models.example.com/v1. Clients name a model that no provider lists as PROVIDER/MODEL; without PROVIDER,
  # calls of /v1/messages go to anthropic, and others to the first provider.
  providers:${PROVIDERS.some(isSet) ? '' : ' # none yet'}
${providers.join('\n')}
`;
}
