import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import { NEWS, newsStatements } from '../src/generators/news.ts';

describe('made-up news', () => {
  const parts = Object.entries(NEWS);

  it('made-up news has reports in parts that can be held out, each with statements of both kinds', () => {
    assert.equal(parts.length, 8);
    for (const [part, reports] of parts) {
      assert.ok(reports.length >= 10, part);
      for (const { text, faithful, unfaithful, summaries } of reports) {
        assert.ok(text.length > 300 && faithful.length >= 4 && unfaithful.length >= 4, text);
        const written = [faithful, unfaithful, summaries.faithful, summaries.unfaithful].flat();
        for (const statement of written) assert.match(statement, /^[A-Z\d"].*[.]"?$/);
        assert.equal(new Set(written).size, written.length, text);
      }
    }
  });

  it('made-up news has summaries in one sentence beside the statements of the later parts', () => {
    for (const [part, reports] of parts.slice(3)) {
      for (const { summaries } of reports) {
        assert.ok(summaries.faithful.length >= 2 && summaries.unfaithful.length >= 3, part);
      }
    }
  });

  it('made-up news makes the same statements from the same seed, and marks what it has changed as false', () => {
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
      if (kind === 'written' || kind === 'summary') continue;
      assert.equal(faithful, kind === 'reworded');
      if (!faithful) assert.ok(!report.faithful.includes(text), text);
    }
  });
});
