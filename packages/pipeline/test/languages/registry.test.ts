import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { LANGUAGES } from '../../src/languages/languages.generated.ts';
import {
  languageSchema,
  languageTags,
  loadLanguage,
  PAGE,
  REGISTRY,
  readText,
  registryOf,
  withCoverage,
} from './coverage.ts';

const isWriting = process.env.WRITE_LANGUAGES === '1';
const REMEDY =
  'write the registry and the table of languages: npm run build && WRITE_LANGUAGES=1 ' +
  'node scripts/test.mjs packages/pipeline/test/languages/registry.test.ts && npm run build';

describe('the registry of languages', () => {
  it('the registry lists every file of a language', () => {
    const expected = registryOf(languageTags());
    if (isWriting) writeFileSync(REGISTRY, expected);
    assert.equal(readText(REGISTRY), expected, REMEDY);
  });

  it('the table of languages in docs/detection.md has the lists of every language', () => {
    const languages = languageTags().map(loadLanguage);
    const page = readText(PAGE);
    const expected = withCoverage(page, languages);
    if (isWriting) writeFileSync(PAGE, expected);
    assert.equal(isWriting ? readText(PAGE) : page, expected, REMEDY);
  });

  it('a language is named after its file and has a tag of BCP 47', () => {
    for (const tag of languageTags()) {
      const language = loadLanguage(tag);
      assert.equal(language.tag, tag);
      assert.equal(Intl.getCanonicalLocales(tag)[0], tag);
      assert.equal(new Intl.DisplayNames('en', { type: 'language' }).of(tag), language.name);
      if (!isWriting) assert.deepEqual(LANGUAGES[languageTags().indexOf(tag)], language);
    }
  });

  it('the file of a language has the members of the schema and no others', () => {
    const validate = new Ajv({ allErrors: true }).compile(languageSchema());
    for (const tag of languageTags()) {
      assert.ok(validate(loadLanguage(tag)), `${tag}.json: ${JSON.stringify(validate.errors)}`);
    }
    const misspelled = { tag: 'en', name: 'English', pii: { cuess: {} } };
    assert.equal(validate(misspelled), false);
    assert.equal(validate.errors?.[0]?.params.additionalProperty, 'cuess');
  });
});
