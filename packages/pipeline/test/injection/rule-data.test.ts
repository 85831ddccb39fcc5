import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { STEERING_RULE } from '../../src/injection/prompt-rules.ts';
import type { RuleFile } from '../../src/injection/rule-data.ts';
import { readRules } from '../../src/injection/rule-data.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'src', 'injection');
const FILES = ['command-rules', 'prompt-literals', 'sql-rules'];

function readFile(name: string): RuleFile {
  return JSON.parse(readFileSync(join(FOLDER, 'data', `${name}.json`), 'utf8'));
}

describe('files of rules of injection_scanner', () => {
  it('a file of rules has the members of the schema and no others', () => {
    const schema = JSON.parse(readFileSync(join(FOLDER, 'rules.schema.json'), 'utf8'));
    const validate = new Ajv({ allErrors: true }).compile(schema);
    for (const name of FILES) {
      assert.ok(validate(readFile(name)), `${name}: ${JSON.stringify(validate.errors)}`);
    }
    assert.equal(validate({ flags: 'g', rules: [{ rule: 'a', weight: 1, patern: 'a' }] }), false);
  });

  it('readRules puts parts into patterns, and uses the flags of the file where a rule has none', () => {
    const rules = [
      { rule: 'a', weight: 1, pattern: 'x%{P}', needs: ['x'] },
      { rule: 'b', weight: 2, pattern: 'y', flags: 'gm' },
    ];
    const [first, second] = readRules({ parts: { P: '(?:1|2)' }, flags: 'g', rules });
    assert.deepEqual([first?.pattern, first?.needs], [/x(?:1|2)/g, ['x']]);
    assert.deepEqual(second?.pattern, /y/gm);
  });

  it('readRules refuses a pattern with an unknown part and names it', () => {
    const rules = [{ rule: 'a', weight: 1, pattern: '%{Q}' }];
    assert.throws(() => readRules({ flags: 'g', rules }), /rule "a": there is no part Q/);
  });

  it('the rules of literals name the rule that a context is searched for', () => {
    const names = readFile('prompt-literals').rules.map(({ rule }) => rule);
    assert.ok(names.includes(STEERING_RULE));
  });
});
