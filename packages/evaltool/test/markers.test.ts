import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationError, toImportFile } from '../src/index.ts';
import type { Json } from './fixtures.ts';
import { file, flat, oldResults, read, recordsOf, result, TIME } from './fixtures.ts';

/** A text that stands nowhere else. */
function marker(name: string): string {
  return `Zq${name}Kx ${name.toUpperCase()} Wv${name}`;
}

/** A failing result with a marker wherever a file holds raw text. */
function markedResult(place: string): Json {
  const mark = (name: string) => marker(`${place}${name}`);
  const output = mark('output');
  const reason = `The reply "${mark('quoted')}" says ${output} to ${mark('raw')} as ${mark('value')}`;
  const component = {
    pass: false,
    score: 0,
    reason: mark('componentreason'),
    assertion: { type: 'promptfoo:redteam:pii', metric: mark('metric'), value: mark('value') },
    metadata: {
      renderedGradingPrompt: mark('rendered'),
      goal: mark('goal'),
      pluginId: mark('plugin'),
    },
    suggestions: [{ value: mark('suggestion') }],
  };
  return result({
    success: false,
    score: 0,
    failureReason: 1,
    error: mark('error'),
    provider: { id: 'local:desk', label: `${mark('label')} {{ template }}` },
    prompt: { raw: mark('raw'), label: `${mark('raw')}`, display: mark('display') },
    vars: { q: mark('var'), list: [{ deep: mark('deepvar') }] },
    response: {
      output,
      raw: { text: mark('response') },
      error: mark('responseerror'),
      metadata: { m: mark('responsemeta') },
    },
    namedScores: { [mark('score')]: 0.1 },
    metadata: { goal: mark('metagoal'), purpose: mark('purpose'), severity: mark('severity') },
    description: mark('description'),
    gradingResult: {
      pass: false,
      score: 0,
      reason,
      comment: mark('comment'),
      componentResults: [component],
    },
    testCase: {
      description: mark('testdescription'),
      vars: { q: mark('testvar') },
      assert: [{ type: 'promptfoo:redteam:pii', value: mark('assertvalue') }],
      metadata: { goal: mark('testgoal'), strategyId: mark('strategy') },
      options: { provider: mark('options') },
    },
  });
}

/** What a file holds beside its results. */
function markedFile(): Json {
  const mark = (name: string) => marker(`file${name}`);
  const prompts = [{ raw: mark('raw'), label: mark('label'), id: mark('id') }];
  const output = { text: mark('text'), prompt: mark('prompt'), pass: false };
  const error = {
    ...result({ success: false, failureReason: 2, error: mark('fatal') }),
    gradingResult: null,
  };
  const ungraded = { ...markedResult('c'), gradingResult: null };
  const inner = {
    prompts,
    table: {
      head: { prompts, vars: [mark('tablevar')] },
      body: [{ outputs: [output], vars: [mark('row')], test: { vars: { q: mark('tabletest') } } }],
    },
    stats: { successes: 0, failures: 0, note: mark('stats') },
  };
  return file(
    [markedResult('a'), markedResult('b'), ungraded, error],
    {
      evalId: mark('evalid'),
      config: {
        prompts: [mark('configprompt')],
        tests: [{ vars: { q: mark('configvar') } }],
        redteam: { purpose: mark('configpurpose') },
      },
      author: mark('author'),
      vars: [mark('varname')],
      traces: [{ spans: [mark('trace')] }],
      blobAssets: [{ data: mark('blob') }],
      runtimeOptions: { x: mark('runtime') },
      metadata: { promptfooVersion: mark('version'), evaluationCreatedAt: TIME },
    },
    inner,
  );
}

/** Everything that leaves this package for a file. */
async function outcomeOf(given: Json): Promise<string> {
  const evaluation = await read(given);
  const { summaries, failures, warnings } = recordsOf(evaluation);
  return JSON.stringify([evaluation, summaries, failures, warnings, toImportFile(evaluation)]);
}

/** Any word of a marker, in whatever case. */
const MARKED = /zq\w*kx|wv(?:a|b|c|file)\w+/i;

test('no text of a prompt, output, variable or rubric leaves this package', async () => {
  const whole = markedFile();
  const planted = JSON.stringify(whole).match(/Zq\w+Kx/g) ?? [];
  assert.ok(new Set(planted).size > 60, 'markers are planted');
  const nested = whole.results as Json;
  const forms = [
    whole,
    { ...nested, metadata: whole.metadata },
    { ...whole, results: { ...nested, version: 2, results: oldResults(nested.results as Json[]) } },
    { version: 4, createdAt: TIME, results: nested, config: whole.config },
  ];
  for (const form of forms) assert.doesNotMatch(await outcomeOf(form), MARKED);
});

test("reasons that are not quoted by the file keep what is the judge's own", async () => {
  const evaluation = await read(flat([markedResult('a')]));
  assert.equal(evaluation.results[0]?.gradingReason, 'The reply … says …to … as …');
});

test('messages of refusals have no text of the file', async () => {
  for (const over of [
    { version: marker('v') },
    { timestamp: marker('t') },
    { results: marker('r') },
  ]) {
    await assert.rejects(read(flat([markedResult('a')], over)), (error: unknown) => {
      assert.ok(error instanceof EvaluationError);
      assert.doesNotMatch(`${error.message}${error.path}${error.stack}`, MARKED);
      return true;
    });
  }
});
