import type { StageSettings, StageValue, TypeSwitches } from '../config.ts';
import { checkRecord, checkSwitches, stageValue } from '../config.ts';
import { lazily } from '../lazy.ts';
import { compileExceptions } from '../pii/exceptions.ts';
import type { OptionalStageDefinition, StageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkFraction } from '../stage-options.ts';
import type { FoundSecret } from './found-secret.ts';
import type { SecretType } from './secret-row.ts';

/** The table of vendors takes longer to load than the rest of the package. */
const withScan = lazily(() => import('./secrets-scan.ts'));
const TYPES: Readonly<Record<SecretType, true>> = {
  api_key: true,
  access_token: true,
  private_key: true,
  jwt: true,
  connection_string: true,
  webhook_url: true,
  password: true,
};
/** The types that the stage reports. */
export const SECRET_TYPES: readonly SecretType[] = Object.freeze(
  Object.keys(TYPES) as SecretType[],
);
const OPTIONS: ReadonlySet<string> = new Set(['types', 'exceptions', 'minScore']);

/** Options of the stage `secrets_scanner`. */
export interface SecretsOptions {
  /** The types to look for; default all. */
  readonly types?: TypeSwitches<SecretType> | undefined;
  /** Values or expressions that are not reported, as for `pii_scanner`. */
  readonly exceptions?: readonly string[] | undefined;
  /** 0 to 1, default 0: less certain findings are not reported. */
  readonly minScore?: number | undefined;
}

/** The stage `secrets_scanner`. */
export const secretsStage: OptionalStageDefinition<'secrets_scanner', 'secrets'> = frozen({
  name: 'secrets_scanner',
  score: 'secrets',
  hasOptionalScore: true,
  types: SECRET_TYPES,
  reads: ['prompt', 'response', 'context'],
  readsSystem: true,
  isDefault: false,
  scoring: 'findings',
  isScoreJudged: true,
  code: 'POLICY_BLOCKED',
  rules: [{ threshold: 0.8, action: 'block' }, { action: 'flag' }],
  severities: {
    byType: { private_key: 'critical', connection_string: 'critical' },
    otherwise: 'high',
  },
  compares: false,
  commandLine: { isMasked: true },
  create(options, path) {
    const { types, exceptions = [], minScore: given = 0 } = checkRecord(path, options, OPTIONS);
    const wanted = checkSwitches(`${path}.types`, types, SECRET_TYPES);
    const isExempt = compileExceptions(`${path}.exceptions`, exceptions);
    const minScore = checkFraction(`${path}.minScore`, given);
    const isAdmitted = ({ type, score }: FoundSecret, value: string) =>
      wanted.has(type) && score >= minScore && !isExempt(value);
    const run: StageRun = (context) =>
      withScan(({ scanSecrets }) => scanSecrets(context, isAdmitted));
    return Object.assign(run, { load: () => withScan(() => undefined), readsFieldsApart: true });
  },
});

/** The stage where nobody configured stages: its findings flag, and governance does not show its score. */
export const defaultSecretsStage: StageDefinition = frozen({
  ...secretsStage,
  isDefault: true,
  rules: [{ action: 'flag' }],
});

/**
 * Keys, tokens and passwords in prompt, response and context. Its score `secrets` is the largest
 * confidence.
 */
export function secrets(options: SecretsOptions & StageSettings = {}): StageValue {
  return stageValue(secretsStage, options);
}
