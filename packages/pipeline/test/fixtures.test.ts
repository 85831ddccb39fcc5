import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  builtInPolicyRules,
  createPipeline,
  evaluatePolicies,
  type InjectionType,
  type PiiType,
  type Policy,
} from '../src/index.ts';
import { BENIGN_PAIRS } from './fixtures/benign.ts';
import { INJECTION_HARD_NEGATIVES, PII_HARD_NEGATIVES } from './fixtures/hard-negatives.ts';
import { INJECTIONS } from './fixtures/injections.ts';
import { PII_POSITIVES } from './fixtures/pii.ts';

const builtIn: Policy = { id: 'p', name: 'built in', enabled: true, rules: builtInPolicyRules() };

describe('ordinary exchanges', () => {
  it('are 200 at least', () => assert.ok(BENIGN_PAIRS.length >= 200));

  it('are never blocked by the built-in policy', async () => {
    const pipeline = createPipeline();
    for (const [prompt, response] of BENIGN_PAIRS) {
      const input = { prompt, response };
      const { verdict, violation } = evaluatePolicies([builtIn], await pipeline.scan(input), input);
      assert.notEqual(verdict, 'blocked', `${prompt} => ${response}: ${violation?.reason}`);
    }
  });
});

describe('personal data', () => {
  const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }] });

  for (const type of Object.keys(PII_POSITIVES) as PiiType[]) {
    it(`of type ${type} is found at its exact place`, async () => {
      assert.ok(PII_POSITIVES[type].length >= 25);
      for (const marked of PII_POSITIVES[type]) {
        const { text, places } = readMarks(marked);
        const { findings } = await pipeline.scan({ response: text });
        const found = findings.filter((f) => f.type === type).map((f) => [f.start, f.end]);
        assert.deepEqual(found, places, marked);
      }
    });
  }

  it('is not seen in numbers that only look like it', async () => {
    assert.ok(PII_HARD_NEGATIVES.length >= 100);
    for (const text of PII_HARD_NEGATIVES) {
      const { findings } = await pipeline.scan({ response: text });
      assert.deepEqual(
        findings.map((f) => `${f.type} ${text.slice(f.start, f.end)}`),
        [],
        text,
      );
    }
  });
});

describe('attacks', () => {
  it('are not seen in code and prose that only share their words', async () => {
    const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });
    for (const prompt of INJECTION_HARD_NEGATIVES) {
      const { scores } = await pipeline.scan({ prompt, response: prompt });
      assert.ok((scores.injection ?? 1) < 0.5, `${scores.injection}: ${prompt}`);
    }
  });

  for (const type of Object.keys(INJECTIONS) as InjectionType[]) {
    it(`of type ${type} are blocked and named`, async () => {
      const types = { [type]: true };
      const pipeline = createPipeline();
      assert.ok(INJECTIONS[type].length >= (type === 'prompt_injection' ? 40 : 20));
      for (const prompt of INJECTIONS[type]) {
        const input = { prompt, response: 'ok' };
        const result = await pipeline.scan(input);
        const named = result.findings.filter((f) => f.score >= 0.5 && f.type in types);
        assert.ok(named.length > 0, `${type}: ${prompt}`);
        const decision = evaluatePolicies([builtIn], result, input);
        assert.equal(decision.violation?.code, 'INJECTION_ATTEMPT_DETECTED', prompt);
      }
    });
  }
});

function readMarks(marked: string): { text: string; places: number[][] } {
  const places: number[][] = [];
  let text = '';
  let start = 0;
  for (const char of marked) {
    if (char === '«') start = text.length;
    else if (char === '»') places.push([start, text.length]);
    else text += char;
  }
  return { text, places };
}
