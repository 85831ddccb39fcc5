import { z } from 'zod';
import { word } from './forms.ts';
import { flag, key, oneOf, optionalShare, path, section, share, textOf } from './key-kinds.ts';
import {
  INJECTIONS,
  OPTIONAL_PII_TYPES,
  PII_PATTERNS,
  SECRETS,
  TOXICITIES,
} from './stage-names.ts';

/** From where the stages block that have no threshold of their own in `scanning.thresholds`, as the server's do. */
export const FURTHER_THRESHOLD = 0.8;

/** Keys of every stage beside those of the specification. */
function common(without = '`scanning.stages[].threshold`') {
  return {
    threshold: key(
      optionalShare(),
      'L',
      'Score from which the stage blocks; overrides `scanning.stages[].threshold`.',
      { 'x-without': without },
    ),
    fail_open: key(
      flag(true),
      'L',
      'What follows when the stage fails or runs out of time: true goes on without it and says so, false blocks.',
    ),
    timeout_ms: key(
      z.int().min(1).max(3_600_000).optional(),
      'L',
      'Time of the stage in milliseconds.',
      { 'x-without': '10000, at most `server.request_timeout_ms`' },
    ),
  };
}

/** The same of the stages that run only where they are listed. */
function furtherCommon() {
  return common(`\`scanning.stages[].threshold\`, else ${FURTHER_THRESHOLD}`);
}

function switches<const Names extends readonly string[]>(names: Names, what: string) {
  const shape = Object.fromEntries(
    names.map((name) => [name, key(flag(true), 'L', `Whether ${what} \`${name}\` is looked for.`)]),
  );
  return section(
    `Each ${what} alone.`,
    shape as { [Name in Names[number]]: ReturnType<typeof flag> },
  );
}

/** What becomes of findings where a call has personal data replaced. */
function redact(value: boolean) {
  return key(
    flag(value),
    'L',
    'Where personal data is replaced, whether findings of this stage are replaced as well; false blocks them from the threshold on.',
  );
}

const similarity = key(
  share(0.7),
  'L',
  'How similar a claim and a statement of the knowledge base must be to be compared.',
);

const typeName = textOf(
  'a name of small letters, digits and _, a letter first, of at most 64 characters',
  /^[a-z][a-z0-9_]{0,63}$/,
);

const typeKey = key(
  typeName.default('denied_term'),
  'L',
  'Name of the type in findings and policies.',
  { 'x-example': 'codename' },
);

const risk = key(share(0.8), 'L', 'Score of a finding, which `threshold` is compared with.', {
  'x-example': 0.8,
});

const termList = z.strictObject({
  type: typeKey,
  terms: key(z.array(z.string()).max(100_000).default([]), 'L', 'Terms of 1 to 200 characters.', {
    'x-example': ['Project Nightjar'],
  }),
  file: key(
    path.optional(),
    'L',
    'File with further terms, relative to the configuration: one on each line, or with the ending .json a JSON list of texts.',
    { 'x-example': 'terms.txt' },
  ),
  case_sensitive: key(
    flag(false),
    'L',
    'False: letter case, diacritics and look-alike letters do not matter.',
    { 'x-example': false },
  ),
  whole_words: key(
    flag(true),
    'L',
    'True: a letter or digit right before or after a term makes it another word.',
  ),
  risk,
});

const termPattern = z.strictObject({
  type: typeKey,
  pattern: key(
    z.string(),
    'L',
    'Regular expression of at most 1,000 characters, which must take linear time.',
    { 'x-example': String.raw`\bNJ-\d{4}\b` },
  ),
  flags: key(
    textOf(
      'some of the letters i, m, s, u and v',
      /^(?!.*(.).*\1)(?!.*u.*v|.*v.*u)[imsuv]*$/,
    ).default('u'),
    'L',
    'Flags of the expression.',
    { 'x-example': 'iu' },
  ),
  context: key(
    z.array(z.string()).min(1).max(1_000).optional(),
    'L',
    'Words of which one must stand at most 48 characters before a match or 24 after it; `*` at the end is any ending.',
    { 'x-without': 'none is needed', 'x-example': ['project', 'codenam*'] },
  ),
  risk,
});

/** Sections of the stages that run only where they are listed. */
const furtherStages = {
  secrets_scanner: section('Keys, tokens and passwords.', {
    types: switches(SECRETS, 'type'),
    confidence_threshold: key(share(0), 'L', 'Confidence from which a secret is reported.'),
    exceptions: key(
      z.array(z.string()).max(200).default([]),
      'L',
      'Values to ignore: literal, or expressions that match the whole value and take linear time.',
    ),
    redact: redact(true),
    ...furtherCommon(),
  }),
  terms_scanner: section('Words and patterns of your own.', {
    lists: key(
      z.array(termList).max(100).default([]),
      'L',
      'Lists of terms, with at most 100,000 in all.',
    ),
    patterns: key(z.array(termPattern).max(200).default([]), 'L', 'Patterns.'),
    redact: redact(false),
    ...furtherCommon(),
  }),
};

/** The keys below `stage_config`. */
export const stageConfigKeys = section('Options of the stages.', {
  pii_scanner: section('Personal data.', {
    patterns: switches(PII_PATTERNS, 'type'),
    optional_types: key(
      z.array(z.enum(OPTIONAL_PII_TYPES)).max(OPTIONAL_PII_TYPES.length).default([]),
      'L',
      'Types that are looked for beside those of `patterns`: IBANs and national identifiers, such as `iban` and `gb_nhs_number`.',
    ),
    ...common(),
  }),
  injection_scanner: section('Attempts to take over a model, a database or a shell.', {
    enabled: key(flag(true), 'L', 'False turns the stage off, whatever `scanning.stages` says.'),
    types: switches(INJECTIONS, 'type'),
    ...common(),
  }),
  toxicity_scanner: section('Toxic content.', {
    confidence_threshold: key(
      share(0.6),
      'L',
      'Confidence from which a category is reported, and flagged.',
    ),
    categories: switches(TOXICITIES, 'category'),
    ...common(),
  }),
  truth_scan: section('Claims of the prompt against the knowledge base.', {
    similarity_threshold: similarity,
    embedding_model: key(
      word.optional(),
      'LR',
      'Model of the vectors of claims in prompts; makes vectors of the same length as `embeddings.model`.',
      {
        'x-without': '`embeddings.model`',
      },
    ),
    ...common(),
  }),
  contamination_check: section('Protected text in the response.', {
    protected_texts: key(
      z.array(z.string()).max(1_000).default([]),
      'L',
      'Texts that must not be repeated, word for word or nearly so.',
    ),
    protected_files: key(
      z.array(path).max(1_000).default([]),
      'L',
      'Files with such texts, relative to the configuration: each is one text, or with the ending .json a JSON list of texts.',
    ),
    canaries: key(z.array(word).max(1_000).default([]), 'L', 'Tokens that must never appear.'),
    ...common('`scanning.stages[].threshold`, else the stage only flags'),
  }),
  hallucination_detector: section('Claims of the response against the context.', {
    action: key(
      oneOf(['flag', 'block'], 'flag'),
      'L',
      'The action from the threshold on: `flag` marks the verdict and passes the answer on, `block` blocks it.',
    ),
    ...common(),
  }),
  output_truth_scanner: section('Claims of the response against the knowledge base.', {
    similarity_threshold: similarity,
    ...common(),
  }),
  ...furtherStages,
});
