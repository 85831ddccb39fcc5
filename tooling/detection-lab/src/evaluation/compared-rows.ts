import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { RowError } from '../lib/rows.ts';

/** A public repository with rows that no detector was trained or tuned on. */
interface ComparedSource {
  readonly repository: string;
  readonly commit: string;
  readonly licence: string;
  readonly file: string;
}

const PERSONAL: ComparedSource = {
  repository: 'Nannigalaxy/PII-synthetic_dataset',
  commit: 'e776265d92426ab9ef11f7bea3b9989addc39b63',
  licence: 'MIT',
  file: 'dataset/pii_syn_nano_en.json',
};
const HATECHECK: ComparedSource = {
  repository: 'paul-rottger/hatecheck-data',
  commit: 'd84302298ceeb34f4b0dde2d8a1f4932c2caa612',
  licence: 'CC BY 4.0',
  file: 'test_suite_cases.csv',
};
const INJECTIONS: ComparedSource = {
  repository: 'meta-llama/PurpleLlama',
  commit: '4be64c3a24442b51c76175e6ec67722cc3f5fe38',
  licence: 'Llama licence; MIT for the benchmarks',
  file: 'CybersecurityBenchmarks/datasets/prompt_injection/prompt_injection.json',
};
const QUESTIONS: ComparedSource = {
  repository: 'PolyAI-LDN/task-specific-datasets',
  commit: '57ec275d8078af65b7731c2a98be812d844a6d6b',
  licence: 'CC BY 4.0',
  file: 'banking_data/test.csv',
};

/** Files of the comparison. */
export const COMPARED_SOURCES: readonly ComparedSource[] = [
  PERSONAL,
  HATECHECK,
  INJECTIONS,
  QUESTIONS,
];

/** A text with the values in it that should be found; where it has none, `isHarmful` is its label. */
export interface ComparedRow {
  readonly text: string;
  readonly isHarmful: boolean;
  readonly values: readonly string[];
}

/** The rows of one task, by kind. */
export interface ComparedRows {
  readonly pii: readonly ComparedGroup[];
  readonly injection: readonly ComparedGroup[];
  readonly toxicity: readonly ComparedGroup[];
}

/** Rows of one kind, which are all harmful or all harmless. */
export interface ComparedGroup {
  readonly name: string;
  readonly rows: readonly ComparedRow[];
}

/** Labels of the first source for the types that `pii_scanner` finds by default. */
const PERSONAL_LABELS =
  /^(EMAIL|SSN|PHONE|CREDIT_CARD|IBAN|PASSPORT(_NUM)?|(BANK_)?ACCOUNT(_NUM(BER)?)?)$/;

/**
 * Reads the rows of all sources below a folder of clones.
 *
 * @throws RowError where a clone is missing
 */
export async function readComparedRows(folder: string): Promise<ComparedRows> {
  const read = ({ repository, file }: ComparedSource): string => {
    const path = join(folder, repository.slice(repository.indexOf('/') + 1), file);
    try {
      return readFileSync(path, 'utf8');
    } catch {
      throw new RowError(`${path} is missing: git clone https://github.com/${repository} there`);
    }
  };
  const records = (source: ComparedSource) =>
    parse(read(source), { columns: true, bom: true }) as Record<string, string>[];
  const questions = records(QUESTIONS).map(({ text = '' }) => harmless(text));
  const cases = records(HATECHECK);
  const casesOf = (label: string) =>
    cases.filter(({ label_gold }) => label_gold === label).map(({ test_case = '' }) => test_case);
  const personal = (JSON.parse(read(PERSONAL)) as readonly PersonalRow[]).map(toPersonal);
  const attacks = JSON.parse(read(INJECTIONS)) as readonly { readonly user_input: string }[];
  return {
    pii: [
      { name: 'reports with personal data', rows: personal.filter(({ isHarmful }) => isHarmful) },
      { name: 'reports without', rows: personal.filter((row) => !row.isHarmful) },
      { name: 'questions to a bank', rows: questions },
    ],
    injection: [
      { name: 'attacks of CyberSecEval', rows: attacks.map((row) => harmful(row.user_input)) },
      { name: 'questions to a bank', rows: questions },
    ],
    toxicity: [
      { name: 'hateful cases of HateCheck', rows: casesOf('hateful').map(harmful) },
      { name: 'other cases of HateCheck', rows: casesOf('non-hateful').map(harmless) },
      { name: 'questions to a bank', rows: questions },
    ],
  };
}

interface PersonalRow {
  readonly text: string;
  readonly NER: readonly { readonly entity?: string; readonly label: string }[];
}

function toPersonal({ text, NER: entities }: PersonalRow): ComparedRow {
  const values = entities
    .filter(({ label }) => PERSONAL_LABELS.test(label))
    // The source marks some values with asterisks or with the words before them.
    .map(({ entity = '' }) => entity.replaceAll('*', '').trim())
    .filter((entity) => entity !== '' && text.includes(entity));
  return { text, values, isHarmful: values.length > 0 };
}

function harmful(text: string): ComparedRow {
  return { text, isHarmful: true, values: [] };
}

function harmless(text: string): ComparedRow {
  return { text, isHarmful: false, values: [] };
}
