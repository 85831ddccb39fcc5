import { createGuard, createPipeline, defineStage } from '@probity/pipeline';
import { contamination } from '@probity/pipeline/contamination';
import { hallucination } from '@probity/pipeline/hallucination';
import { injection } from '@probity/pipeline/injection';
import { pii } from '@probity/pipeline/pii';
import { secrets } from '@probity/pipeline/secrets';
import { createConfiguredPipeline, parsePipelineSettings } from '@probity/pipeline/settings';
import { terms } from '@probity/pipeline/terms';
import { toxicity } from '@probity/pipeline/toxicity';
import { promptTruth, truth } from '@probity/pipeline/truth';

const knowledge = ['The night boat leaves from the northern pier.'];

/** A key of a vendor, in parts, so that no search for secrets stops at this file. */
const KEY = ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('');

const shouting = defineStage({
  name: 'shouting',
  types: ['capitals'],
  reads: ['response'],
  run({ fields: [{ field, text }], report }) {
    const start = text.indexOf('LOUD');
    if (start >= 0) report({ type: 'capitals', score: 1, field, start, end: start + 4 });
  },
});

/** Every stage as a value, each imported from its own entry, and one of the host's own. */
async function scanWithEveryStage() {
  /** @type {unknown[]} */
  const errors = [];
  const onStageError = (/** @type {unknown} */ error) => errors.push(error);
  const pipeline = createPipeline(
    {
      stages: [
        ...[pii({ types: ['ssn'] }), injection(), toxicity(), hallucination()],
        ...[truth({ knowledge }), promptTruth({ knowledge })],
        ...[contamination({ protected: knowledge }), secrets()],
        ...[terms({ lists: [{ type: 'vessel', terms: ['night boat'] }] }), shouting],
      ],
    },
    { onStageError },
  );
  await pipeline.preload();
  const { verdict, reason, findings } = await createGuard({ pipeline }).check({
    prompt: 'Where does the boat leave?',
    response: `LOUD: the night boat leaves from the northern pier. Her SSN is 536-22-8145. ${KEY}`,
  });
  const stages = [...new Set(findings.map(({ stage }) => stage))].sort();
  const settings = parsePipelineSettings(
    { stages: [{ name: 'pii_scanner', options: { types: ['iban'] } }] },
    { env: {}, folder: '.' },
  );
  const configured = createConfiguredPipeline(settings, { onStageError });
  const { scores } = await configured.scan({ response: 'IBAN DE89 3704 0044 0532 0130 00' });
  return [verdict, reason, stages.join(), Number(scores.pii) > 0, ...errors].join(' ');
}

void scanWithEveryStage().then((line) => process.stdout.write(`${line}\n`));
