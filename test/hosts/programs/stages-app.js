import { createGuard, createPipeline, defineStage } from '@probity/pipeline';
import { contamination } from '@probity/pipeline/contamination';
import { hallucination } from '@probity/pipeline/hallucination';
import { injection } from '@probity/pipeline/injection';
import { pii } from '@probity/pipeline/pii';
import { toxicity } from '@probity/pipeline/toxicity';
import { promptTruth, truth } from '@probity/pipeline/truth';

const knowledge = ['The night boat leaves from the northern pier.'];

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
  const pipeline = createPipeline(
    {
      stages: [
        ...[pii({ types: ['ssn'] }), injection(), toxicity(), hallucination()],
        ...[truth({ knowledge }), promptTruth({ knowledge })],
        ...[contamination({ protected: knowledge }), shouting],
      ],
    },
    { onStageError: (error) => errors.push(error) },
  );
  const { verdict, reason, findings } = await createGuard({ pipeline }).check({
    prompt: 'Where does the boat leave?',
    response: 'LOUD: the night boat leaves from the northern pier. Her SSN is 536-22-8145.',
  });
  const stages = [...new Set(findings.map(({ stage }) => stage))].sort();
  return [verdict, reason, stages.join(), ...errors].join(' ');
}

void scanWithEveryStage().then((line) => process.stdout.write(`${line}\n`));
