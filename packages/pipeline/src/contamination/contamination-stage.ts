import type { StageSettings, StageValue } from '../config.ts';
import { checkRecord, stageValue } from '../config.ts';
import { lazily } from '../lazy.ts';
import type { ProtectedTexts } from '../scan-material.ts';
import { guardOf, toProtectedTexts } from '../scan-material.ts';
import type { StageDefinition, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import { checkStrings } from '../stage-options.ts';
import type { Guard } from './contamination-scan.ts';

/** What the stage `contamination_check` reports. */
export type ContaminationType = 'verbatim' | 'near_verbatim' | 'canary' | 'hidden_text' | 'encoded';

/** The index takes modules and tables that no other default stage needs. */
const withScan = lazily(() => import('./contamination-scan.ts'));

const TYPES: Readonly<Record<ContaminationType, true>> = {
  verbatim: true,
  near_verbatim: true,
  canary: true,
  hidden_text: true,
  encoded: true,
};

/** Options of the stage `contamination_check`. */
export interface ContaminationOptions {
  /** Texts that must not be repeated; the index over them is made once, by the first scan or `preload`. */
  readonly protected?: readonly string[] | undefined;
  /** Tokens that must never appear. */
  readonly canaries?: readonly string[] | undefined;
}

/** The stage `contamination_check`. */
export const contaminationStage: StageDefinition<'contamination_check', 'contamination'> = frozen({
  name: 'contamination_check',
  score: 'contamination',
  types: Object.keys(TYPES),
  reads: ['response'],
  readsSystem: false,
  isDefault: false,
  scoring: 'text',
  isScoreJudged: false,
  code: 'POLICY_BLOCKED',
  rules: [{ action: 'flag' }],
  severities: { otherwise: 'medium' },
  compares: false,
  lists: ['protected', 'canaries'],
  create(options, path) {
    const given = checkRecord(path, options, new Set(['protected', 'canaries']));
    const { protected: listed = [], canaries: tokens = [] } = given;
    const texts = checkStrings(`${path}.protected`, listed);
    const canaries = checkStrings(`${path}.canaries`, tokens);
    let guard: Guard | undefined;
    const run: StageRun = (context) =>
      withScan(({ createGuard, scanFields }) => {
        guard ??= createGuard(texts, canaries);
        const given = guardOf(context.material?.protectedTexts);
        if (given === undefined) return scanFields(context, [guard]);
        const isAlone = texts.length + canaries.length === 0;
        return scanFields(context, isAlone ? [given] : [guard, given]);
      });
    const load = () =>
      withScan(async ({ prepareGuard }) => {
        guard ??= await prepareGuard(texts, canaries);
      });
    return Object.assign(run, { load });
  },
});

/**
 * Protected text in the response, word for word or nearly so, in the open or encoded; canary tokens;
 * rows of invisible characters that carry a text. Its score `contamination` is the largest of its
 * findings, 0 without any.
 */
export function contamination(options: ContaminationOptions & StageSettings = {}): StageValue {
  return stageValue(contaminationStage, options);
}

/**
 * Prepares texts for scans of their own, such as those of a tenant: the `protectedTexts` of `ScanMaterial`. Some
 * milliseconds for each 64 KiB, between which the event loop gets its turns.
 *
 * @throws TypeError for what is no list of texts
 */
export async function prepareProtectedTexts({
  protected: listed = [],
  canaries = [],
}: ContaminationOptions): Promise<ProtectedTexts> {
  const texts = checkStrings('protected', listed);
  const tokens = checkStrings('canaries', canaries);
  return withScan(async ({ prepareGuard }) => toProtectedTexts(await prepareGuard(texts, tokens)));
}
