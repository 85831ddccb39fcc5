import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { createHome } from '../program.ts';

/** What bash offers for the words of a command line, the last of which is being typed. */
async function inBash(t: TestContext, ...words: string[]): Promise<string[]> {
  const home = createHome(t);
  const { code, stdout } = await home.run(['completion', 'bash']);
  assert.equal(code, 0);
  writeFileSync(`${home.path}/probity.bash`, stdout);
  writeFileSync(`${home.path}/results.json`, '{}');
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `source ./probity.bash; COMP_WORDS=(probity ${quoted}); COMP_CWORD=${words.length};
    _probity; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--norc', '-c', script], {
    cwd: home.path,
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  for (const [words, expected] of [
    [['ev'], ['evidence']],
    [
      ['evidence', ''],
      ['list', 'export', 'verify'],
    ],
    [['evidence', 'list', '--la'], ['--label']],
    [
      ['scan', '--fail-on', ''],
      ['blocked', 'flagged', 'never'],
    ],
    [['scan', 'a.txt', '--fo'], ['--format']],
    [['--debug', 'completion', 'z'], ['zsh']],
    [['obl'], ['obligations']],
    [
      ['coverage', '--framework', 'eu-'],
      ['eu-ai-act', 'eu-harmonised-standards'],
    ],
    [
      ['ai-systems', ''],
      ['list', 'create', 'update', 'delete'],
    ],
    [
      ['ai-systems', 'create', '--risk-class', 'gpai'],
      ['gpai', 'gpai_systemic'],
    ],
    [['evidence', 'export', '--format', 'o'], ['oscal']],
    [['evidence', 'export', '--output', 'res'], ['results.json']],
    [['import', 'res'], ['results.json']],
    [['import', '--base-url', 'x'], []],
    [
      ['login', '--api-k'],
      ['--api-key', '--api-key-stdin'],
    ],
  ] as const) {
    it(`offers ${expected.join(', ') || 'nothing'} for ${words.join(' ')}`, async (t) => {
      assert.deepEqual(await inBash(t, ...words), expected);
    });
  }
});

describe('the scripts of other shells', () => {
  for (const [shell, check] of [
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const) {
    it(`${shell} accepts its script, where it is installed`, async (t) => {
      const home = createHome(t);
      const { code, stdout } = await home.run(['completion', shell]);
      assert.equal(code, 0);
      for (const name of ['fail-on', 'ai-system-id', 'forward-to', 'verify']) {
        assert.ok(stdout.includes(name), name);
      }
      writeFileSync(`${home.path}/script`, stdout);
      const ran = spawnSync(shell, [...check, `${home.path}/script`], { encoding: 'utf8' });
      if (ran.error) return t.skip(`${shell} is not installed: its script was NOT run`);
      assert.deepEqual([ran.status, ran.stderr], [0, '']);
    });
  }

  it('another shell is exit code 2', async (t) => {
    const { code, stderr } = await createHome(t).run(['completion', 'tcsh']);
    assert.equal(code, 2);
    assert.match(stderr, /Allowed choices are bash, zsh, fish/);
  });
});
