import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { contamination } from '../../src/contamination/index.ts';
import { hallucination } from '../../src/hallucination/index.ts';
import {
  createGuard,
  createPipeline,
  createStreamScanner,
  defineStage,
  parsePolicies,
} from '../../src/index.ts';
import { injection } from '../../src/injection/index.ts';
import { pii } from '../../src/pii/index.ts';
import { toxicity } from '../../src/toxicity/index.ts';
import { truth } from '../../src/truth/index.ts';

const pipeline = createPipeline({ stages: [pii()] });
const guard = createGuard({ pipeline });
const STAGE = { name: 'own', types: ['a'], reads: ['response'], run: () => {} };
const RULE = { stage: 'pii_scanner', types: ['ssn'], threshold: 0.5, action: 'block' };
const policyWith = (rule: object) => [{ id: 'p', name: 'P', rules: [{ ...RULE, ...rule }] }];
const inPipeline = (stage: unknown) => createPipeline({ stages: [stage as never] });

/** Each function with a member that may only be what `isRight` says, and the name that errors give it. */
const MEMBERS: readonly (readonly [
  string,
  (value: unknown) => unknown,
  RegExp,
  (value: unknown) => boolean,
])[] = [
  ['scan', (v) => pipeline.scan(v as never), /^scan: |^input\./, () => false],
  ['prompt', (v) => pipeline.scan(has('prompt', v)), /^input\.prompt /, isOptionalText],
  ['response', (v) => pipeline.scan({ response: v } as never), /^input\.response /, isText],
  ['context', (v) => pipeline.scan(has('context', v)), /^input\.context/, isOptionalTexts],
  ['passage', (v) => pipeline.scan(has('context', ['', v])), /^input\.context\.1 /, isText],
  ['system', (v) => pipeline.scan(has('system', v)), /^input\.system /, isOptionalText],
  ['options', (v) => pipeline.scan({ response: '' }, v as never), /^scan: /, isEmpty],
  [
    'signal',
    (v) => pipeline.scan({ response: '' }, { signal: v as never }),
    /options\.signal /,
    isUndefined,
  ],
  ['check', (v) => guard.check(v as never), /^check/, () => false],
  ['check prompt', (v) => guard.check(has('prompt', v) as never), /input\.prompt /, isOptionalText],
  ['createPipeline', (v) => createPipeline(v as never), /^config/, isEmpty],
  ['dependencies', (v) => createPipeline({}, v as never), /^dependencies/, isObject],
  ['stages', (v) => createPipeline({ stages: v as never }), /^stages/, isEmptyList],
  ['a stage', (v) => inPipeline(v), /^stages\[0\]/, () => false],
  ['maxFindings', (v) => createPipeline({ maxFindings: v as never }), /^maxFindings/, isLength],
  ['failOpen', (v) => inPipeline(pii({ failOpen: v as never })), /\.failOpen/, isSwitch],
  ['timeoutMs', (v) => inPipeline(pii({ timeoutMs: v as never })), /\.timeoutMs/, isPositive],
  ['types', (v) => inPipeline(pii({ types: v as never })), /_scanner\.options\.types/, isEmptyAny],
  ['exceptions', (v) => inPipeline(pii({ exceptions: v as never })), /exceptions/, isOptionalTexts],
  ['injection', (v) => inPipeline(injection({ types: v as never })), /options\.types/, isEmptyAny],
  [
    'categories',
    (v) => inPipeline(toxicity({ categories: v as never })),
    /options\.categories/,
    isEmptyAny,
  ],
  ['minScore', (v) => inPipeline(toxicity({ minScore: v as never })), /\.minScore/, isShare],
  [
    'knowledge',
    (v) => inPipeline(truth({ knowledge: v as never })),
    /\.knowledge/,
    isOptionalTexts,
  ],
  ['judge', (v) => inPipeline(hallucination({ judge: v as never })), /options\.judge/, isEmpty],
  [
    'protected',
    (v) => inPipeline(contamination({ protected: v as never })),
    /\.protected/,
    isOptionalTexts,
  ],
  ['policies', (v) => parsePolicies(v), /^policies/, isEmptyList],
  ['rule stage', (v) => parsePolicies(policyWith({ stage: v })), /rules\.0\.stage/, () => false],
  ['rule types', (v) => parsePolicies(policyWith({ types: v })), /rules\.0\.types/, isUndefined],
  ['rule action', (v) => parsePolicies(policyWith({ action: v })), /\.action/, () => false],
  ['threshold', (v) => parsePolicies(policyWith({ threshold: v })), /\.threshold/, isShare],
  ['defineStage', (v) => defineStage(v as never), /^defineStage/, () => false],
  ['name', (v) => defineStage({ ...STAGE, name: v } as never), /^defineStage\.name/, isName],
  ['stage types', (v) => defineStage({ ...STAGE, types: v } as never), /Stage\.types/, isNames],
  ['reads', (v) => defineStage({ ...STAGE, reads: v } as never), /Stage\.reads/, () => false],
  ['run', (v) => defineStage({ ...STAGE, run: v } as never), /Stage\.run/, isFunction],
  [
    'holdBack',
    (v) => createStreamScanner(pipeline, { holdBack: v as never, maxHoldBack: 1e9 }),
    /^holdBack/,
    isLength,
  ],
];

function has(member: string, value: unknown) {
  return { response: '', [member]: value } as never;
}
function isFunction(value: unknown) {
  return typeof value === 'function';
}
function isUndefined(value: unknown) {
  return value === undefined;
}
function isText(value: unknown) {
  return typeof value === 'string';
}
function isOptionalText(value: unknown) {
  return value === undefined || isText(value);
}
function isOptionalTexts(value: unknown) {
  return value === undefined || (Array.isArray(value) && value.every(isText));
}
function isObject(value: unknown) {
  return value === undefined || (typeof value === 'object' && value !== null);
}
function isEmptyList(value: unknown) {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
function isEmpty(value: unknown) {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return value === undefined || (isPlain && Object.keys(value).length === 0);
}
function isEmptyAny(value: unknown) {
  return isEmpty(value) || isEmptyList(value);
}
function isSwitch(value: unknown) {
  return value === undefined || typeof value === 'boolean';
}
function isShare(value: unknown) {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= 1);
}
function isPositive(value: unknown) {
  return value === undefined || (typeof value === 'number' && value > 0 && value < 2 ** 31);
}
function isLength(value: unknown) {
  return (value ?? undefined) === undefined || (Number.isInteger(value) && (value as number) >= 1);
}
function isName(value: unknown) {
  return typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value);
}
function isNames(value: unknown) {
  return Array.isArray(value) && value.length > 0 && value.every(isName);
}

describe('a value of another type', () => {
  for (const [member, use, names, isRight] of MEMBERS) {
    it(`a value of another type is refused with the name of the member: ${member}`, async () => {
      const wrong = fc.oneof(
        fc.constantFrom(
          null,
          0,
          7,
          7n,
          -1,
          Number.NaN,
          '',
          'text',
          true,
          [],
          {},
          [null],
          [[]],
          Symbol.iterator,
        ),
        fc.constantFrom({ text: 'a' }, () => 'a', new String('a'), [1, 'a'], { role: 'user' }),
        fc.anything(),
      );
      await fc.assert(
        fc.asyncProperty(
          wrong.filter((value) => !isRight(value)),
          async (value) => {
            await assert.rejects(
              async () => use(value),
              (error: Error) => {
                assert.match(error.name, /^(TypeError|RangeError|PipelineConfigError)$/);
                assert.match(error.message, names);
                return true;
              },
            );
          },
        ),
        { numRuns: 60 },
      );
    });
  }
});
