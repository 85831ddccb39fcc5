import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toImportFile } from '../src/index.ts';
import type { Json } from './fixtures.ts';
import { failing, file, graded, read, readBody, recordsOf } from './fixtures.ts';

const PII = 'promptfoo:redteam:pii';

/** A failing result with these components of its grading, and these assertions of its test. */
function failed(componentResults: readonly Json[], planned: readonly string[] = []): Json {
  const gradingResult = graded(false, 'x', 'The answer is too long', { componentResults });
  return failing('x', {
    gradingResult,
    testCase: { vars: {}, assert: planned.map((type) => ({ type })) },
  });
}

const passed = (type?: string): Json => ({ pass: true, ...(type ? { assertion: { type } } : {}) });
const broke = (type?: string): Json => ({ pass: false, ...(type ? { assertion: { type } } : {}) });

interface Expected {
  readonly type: string;
  readonly finding: string;
  readonly categories?: readonly string[];
}

const unknown: Expected = { type: 'unknown', finding: 'test_failure' };
const redTeam: Expected = { type: 'pii', finding: 'red_team_failure', categories: ['security'] };

const cases: ReadonlyArray<readonly [string, Json, Expected]> = [
  ['no passed red-team assertion', failed([broke(), passed(PII)]), unknown],
  ['no passed ordinary assertion', failed([broke(), passed('contains')]), unknown],
  ['nothing where all assertions passed', failed([passed(PII), passed('contains')]), unknown],
  [
    'the assertion of the test in the position of the component',
    failed([passed(), broke(), passed(PII)], ['regex', 'javascript', PII]),
    { type: 'javascript', finding: 'test_failure' },
  ],
  [
    'nothing by position where the components are in another order',
    failed([broke(), passed(PII)], [PII, 'javascript']),
    unknown,
  ],
  [
    'nothing by position where the components are fewer',
    failed([broke(), passed('contains')], [PII, 'contains', 'regex']),
    unknown,
  ],
  ['the failed one of two of a type', failed([passed(PII), broke(PII)]), redTeam],
  [
    'the failed one after an unnamed failure',
    failed([broke(), passed('regex'), broke(PII)]),
    redTeam,
  ],
  ['the only assertion of the test', failed([], [PII]), redTeam],
  ['none of several that may have failed', failed([], [PII, 'contains']), unknown],
  [
    'no passed assertion of the whole grading',
    failing('x', { gradingResult: { pass: true, assertion: { type: PII } } }),
    unknown,
  ],
  [
    'an assertion that failed where a judge gave no grade for another',
    failed([broke('contains'), { ...broke(PII), metadata: { graderError: true } }]),
    { type: 'contains', finding: 'test_failure' },
  ],
  [
    'the assertion without a grade where the others passed',
    failed([passed('contains'), { ...broke(PII), metadata: { graderError: true } }]),
    { type: 'pii', finding: 'grader_error' },
  ],
];

for (const [title, given, { type, finding, categories = [] }] of cases) {
  test(`a failure names ${title}`, async () => {
    const evaluation = await read(file([given]));
    const { evaluation: sent } = await readBody(toImportFile(evaluation));
    for (const each of [evaluation, sent]) {
      const { failures, summaries } = recordsOf(each);
      const record = failures[0];
      assert.equal(record?.metadata.assertionType, type);
      assert.equal(record?.metadata.findingType, finding);
      assert.deepEqual(record?.signals, categories);
      assert.deepEqual(summaries[0]?.signals, categories);
      assert.equal(record?.title.includes(`(${type})`), type !== 'unknown');
    }
  });
}

test('a failure takes no plugin or severity from a passed component', async () => {
  const metadata = { pluginId: 'pii:direct', severity: 'critical' };
  const evaluation = await read(file([failed([{ ...passed(PII), metadata }, broke('contains')])]));
  const { pluginId, severity } = recordsOf(evaluation).failures[0]?.metadata ?? {};
  assert.deepEqual([pluginId, severity], [null, null]);
});
