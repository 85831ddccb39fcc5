import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { evidenceOf, readEvaluation, toImportFile } from '../src/index.ts';
import { partsOf, readBody, recordsOf } from './fixtures.ts';

/** A folder of output files of the tool, which are not part of the repository. */
const folder = process.env.PROBITY_EVALTOOL_SAMPLES;

for (const name of folder ? readdirSync(folder).filter((each) => each.endsWith('.json')) : []) {
  test(`the sample ${name} is read, and its parts sent give the same records`, async (t) => {
    const bytes = readFileSync(join(folder as string, name));
    const evaluation = await readEvaluation(partsOf(bytes));
    const { results, stats } = evaluation;
    const { summaries, failures, warnings } = evidenceOf(evaluation, { organizationId: 'org_1' });
    assert.equal(failures.length, stats.failures + stats.errors);
    assert.equal(summaries.length, new Set(results.map(({ provider }) => provider.id)).size);
    const { evaluation: sent } = await readBody(toImportFile(evaluation));
    assert.deepEqual(recordsOf(sent).failures, failures);
    assert.deepEqual(recordsOf(sent).summaries, summaries);
    const counts = `${results.length} results, ${summaries.length} summaries, ${failures.length} failures`;
    t.diagnostic(`${name}: ${counts}, ${JSON.stringify(stats)}, ${warnings.length} warnings`);
  });
}
