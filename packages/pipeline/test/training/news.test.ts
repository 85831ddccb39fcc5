import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWS, newsStatements } from '../../training/data/news.ts';
import { createRandom } from '../../training/lib/random.ts';

describe('made-up news', () => {
  const parts = Object.entries(NEWS);

  it('has reports in three parts, each with statements of both kinds', () => {
    assert.equal(parts.length, 3);
    for (const [part, reports] of parts) {
      assert.equal(reports.length, 12, part);
      for (const { text, faithful, unfaithful } of reports) {
        assert.ok(text.length > 300 && faithful.length >= 4 && unfaithful.length >= 4, text);
        for (const statement of [...faithful, ...unfaithful])
          assert.match(statement, /^[A-Z\d"].*[.]$/);
      }
    }
  });

  it('makes the same statements from the same seed, and marks what it has changed as false', () => {
    const reports = NEWS.news_one ?? [];
    const [report, ...others] = reports;
    assert.ok(report !== undefined);
    const make = () => newsStatements(report, others, createRandom(5));
    const statements = make();
    assert.deepEqual(make(), statements);
    const kinds = new Set(statements.map(({ kind }) => kind));
    for (const kind of ['written', 'invented', 'stitched', 'foreign']) assert.ok(kinds.has(kind));
    for (const { kind, faithful, text } of statements) {
      assert.doesNotMatch(text, /NAME|TOWN|BODY|AGE\b/);
      if (kind === 'written') continue;
      assert.equal(faithful, kind === 'reworded');
      if (!faithful) assert.ok(!report.faithful.includes(text), text);
    }
  });
});
