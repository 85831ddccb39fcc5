import type { ElementSink, Shape } from '../json/shape.ts';
import { array, object, objectWithTexts, SCALAR } from '../json/shape.ts';
import { SHORTEST_TEXT } from '../redaction/reason.ts';

/** Of assertions of one result, and of prompts of one file; further ones are passed over. */
const MAX_ELEMENTS = 1_000;

/** Texts that are compared with the reason, and then dropped. */
const TEXTS: Shape = { textsFrom: SHORTEST_TEXT };

/** Names of scores that have a meaning, in lower case. */
export const SCORE_NAMES = ['faithfulness', 'toxicity'] as const;

const namedScores: Shape = {
  member: (name) =>
    (SCORE_NAMES as readonly string[]).includes(name.toLowerCase()) ? SCALAR : undefined,
};

const tokenUsage = object({ total: SCALAR });

/** What red-team strategies report of their attacks; the texts of attacks are compared with the reason. */
const attacks = {
  totalSuccessfulAttacks: SCALAR,
  successfulAttacks: { textsFrom: 0 },
  stopReason: SCALAR,
};

const plugin = objectWithTexts(
  { pluginId: SCALAR, severity: SCALAR, strategyId: SCALAR, graderError: SCALAR, ...attacks },
  SHORTEST_TEXT,
);

// What the tool's own reasons name is not compared.
const assertion = objectWithTexts(
  { type: SCALAR, metric: SCALAR, threshold: SCALAR, weight: SCALAR },
  SHORTEST_TEXT,
);

const prompt = object({ raw: SCALAR, label: SCALAR, display: SCALAR });

/** What is read of one result. */
const RESULT = object({
  provider: object({ id: SCALAR, label: SCALAR }),
  prompt,
  promptId: SCALAR,
  vars: TEXTS,
  response: objectWithTexts(
    { tokenUsage, output: TEXTS, raw: TEXTS, metadata: objectWithTexts(attacks, SHORTEST_TEXT) },
    SHORTEST_TEXT,
  ),
  repeat: SCALAR,
  ordinal: SCALAR,
  success: SCALAR,
  score: SCALAR,
  namedScores,
  failureReason: SCALAR,
  error: SCALAR,
  latencyMs: SCALAR,
  tokenUsage,
  metadata: plugin,
  testCase: object({
    vars: TEXTS,
    metadata: plugin,
    assert: array(assertion, MAX_ELEMENTS),
  }),
  gradingResult: object({
    pass: SCALAR,
    score: SCALAR,
    reason: SCALAR,
    namedScores,
    metadata: object(attacks),
    assertion,
    componentResults: array(object({ pass: SCALAR, assertion, metadata: plugin }), MAX_ELEMENTS),
  }),
});

/** Where the results of the two forms of a file are received. */
export interface ResultSinks {
  readonly flat: ElementSink;
  readonly nested: ElementSink;
}

/** What is read of an output file, whose results stand at the top or within `results`. */
export function fileShape(sinks: ResultSinks, onName: (name: string) => void): Shape {
  const summary = {
    version: SCALAR,
    timestamp: SCALAR,
    prompts: array(prompt, MAX_ELEMENTS),
    table: object({ head: object({ prompts: array(prompt, MAX_ELEMENTS) }) }),
    stats: object({
      ...{ successes: SCALAR, failures: SCALAR, errors: SCALAR },
      tokenUsage: object({ total: SCALAR, scope: SCALAR }),
    }),
  };
  const results = (sink: ElementSink): Shape => ({
    elements: { shape: RESULT, limit: Number.POSITIVE_INFINITY, sink },
  });
  const file = object({
    ...summary,
    createdAt: SCALAR,
    redactionVersion: SCALAR,
    part: SCALAR,
    metadata: named(object({ evaluationCreatedAt: SCALAR, promptfooVersion: SCALAR }), onName),
    results: {
      ...named(object({ ...summary, results: results(sinks.nested) }), onName),
      ...results(sinks.flat),
    },
  });
  return named(file, onName);
}

/** Tells the name of every member that is met. */
function named({ member }: Shape, onName: (name: string) => void): Shape {
  return {
    member(name) {
      onName(name);
      return member?.(name);
    },
  };
}
