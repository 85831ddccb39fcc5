import type {
  createGuard,
  createPipeline,
  Guard,
  Pipeline,
  PipelineConfig,
  PipelineDependencies,
  Policy,
  StageContext,
} from '../../src/index.ts';

/** What makes guards in a build of the package. */
export interface GuardMakers {
  readonly createGuard: typeof createGuard;
  readonly createPipeline: typeof createPipeline;
}

const KNOWLEDGE = ['The ferry to the northern island leaves at eight in the morning.'];
const OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  terms_scanner: { lists: [{ terms: ['Project Nightjar', 'Acme'] }] },
  truth_scan: { knowledge: KNOWLEDGE },
  output_truth_scanner: { knowledge: KNOWLEDGE },
  contamination_check: { protected: KNOWLEDGE, canaries: ['a canary of this test'] },
};
const NAMES = [
  ...(['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'] as const),
  ...(['contamination_check', 'hallucination_detector', 'output_truth_scanner'] as const),
  ...(['secrets_scanner', 'terms_scanner'] as const),
];
type Name = (typeof NAMES)[number];
type Rules = Policy['rules'];

const stage = (name: Name) => ({ name, options: OPTIONS[name] ?? {}, timeoutMs: 3e5 });
const all = NAMES.map(stage);
const rulesFor = (action: 'flag' | 'redact' | 'block'): Rules =>
  NAMES.map((name) => ({ stage: name, action }));
const MIXED: Rules = [
  { stage: 'pii_scanner', types: ['ssn'], action: 'block' },
  { stage: 'pii_scanner', action: 'redact' },
  { stage: 'injection_scanner', threshold: 0.9, action: 'block' },
  { stage: 'injection_scanner', action: 'flag' },
  { stage: 'secrets_scanner', action: 'redact' },
  { stage: 'toxicity_scanner', action: 'redact' },
];

/** Fails at some texts, wherever they stand. */
async function failingRun({ fields, report, setScore }: StageContext): Promise<void> {
  for (const { field, contextIndex, text } of fields) {
    await undefined;
    if (text.length % 5 === 4) throw new Error('fails');
    const place = contextIndex === undefined ? { field } : { field, contextIndex };
    if (text === '') continue;
    report({ type: 'insult', score: 0.5, ...place, start: 0, end: 1, reason: 'is a text' });
    setScore(0.5);
  }
}

const failing = (readsFieldsApart: boolean): PipelineDependencies => ({
  stages: {
    toxicity_scanner: () => ({
      ...{ name: 'toxicity_scanner', readsFieldsApart, run: failingRun },
      targets: ['prompt', 'response', 'context', 'system'],
    }),
  },
});

/** Back ends and what they are told, whose calls are noted. */
function notedBackEnds(note: (called: unknown) => void): PipelineDependencies {
  const classify = async (texts: readonly string[]) => {
    note(['classified', texts]);
    return texts.map((text) => (text.length % 3 === 0 ? [{ type: 'insult', score: 0.8 }] : []));
  };
  return {
    classifiers: { toxicity_scanner: { classify } },
    judge: {
      async judge(question) {
        note(['judged', question]);
        return { verdict: 'contradicted', score: 0.7 };
      },
    },
  };
}

/**
 * Guards with every stage and with each alone, under several policies.
 *
 * @param note is told of what the stages call, in order
 * @param change makes another pipeline of each
 */
export function makeGuards(
  { createGuard, createPipeline }: GuardMakers,
  note: (called: unknown) => void,
  change: (pipeline: Pipeline) => Pipeline = (pipeline) => pipeline,
): readonly Guard[] {
  const guardOf = (
    rules: Rules | null,
    config: PipelineConfig = { stages: all },
    dependencies: PipelineDependencies = {},
  ) => {
    const onStageError = (error: unknown, name: string) => note(['failed', name, String(error)]);
    const pipeline = change(createPipeline(config, { ...dependencies, onStageError }));
    return createGuard({ pipeline, ...(rules && { policies: [{ id: 'p', name: 'p', rules }] }) });
  };
  const everywhere = all.map((each) => ({ ...each, system: true }));
  const closed = all.map((each) => ({ ...each, failOpen: false }));
  return [
    guardOf(null),
    guardOf(rulesFor('flag')),
    guardOf(rulesFor('redact')),
    guardOf(MIXED),
    guardOf(MIXED, { stages: everywhere }),
    guardOf(MIXED, { stages: all.toReversed(), maxFindings: 3 }),
    guardOf(rulesFor('redact'), { stages: all }, notedBackEnds(note)),
    guardOf(rulesFor('redact'), { stages: all }, failing(true)),
    guardOf(rulesFor('flag'), { stages: closed }, failing(false)),
    ...NAMES.map((name) => guardOf(rulesFor('redact'), { stages: [stage(name)] })),
  ];
}
