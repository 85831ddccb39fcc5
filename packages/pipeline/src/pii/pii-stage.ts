import type { ClassifierOptions } from '../backends/backend-options.ts';
import type { StageSettings, StageValue, TypeSwitches } from '../config.ts';
import { checkRecord, checkSwitches, stageValue } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { lazily } from '../lazy.ts';
import { ALL_PII_RISKS } from '../risk.ts';
import type { ClassifiedStageDefinition, FindingSeverity, StageRun } from '../stage-definition.ts';
import { frozen } from '../stage-definition.ts';
import type { PiiDetector } from './candidate.ts';
import type { CheckedPattern, CustomPattern } from './custom-patterns.ts';
import { checkCustomPattern, DEFAULT_RISK } from './custom-patterns.ts';
import { compileExceptions } from './exceptions.ts';
import type { NationalIdType } from './national/national-types.ts';
import { NATIONAL_ID_TYPES, NATIONAL_RISK } from './national/national-types.ts';
import type { LoadedType } from './pii-scan.ts';
import type { PiiTypeDefinition } from './pii-type.ts';
import type { ModelPiiType, PiiType } from './pii-types.ts';
import { MODEL_PII_TYPES, PII_TYPES } from './pii-types.ts';

const DEFINITIONS: readonly PiiTypeDefinition<PiiType>[] = PII_TYPES;
const TYPES = DEFINITIONS.map(({ type }) => type);
const DETECTED: readonly (PiiType | NationalIdType)[] = [...TYPES, ...NATIONAL_ID_TYPES];
const ALL_TYPES: readonly (PiiType | NationalIdType | ModelPiiType)[] = [
  ...DETECTED,
  ...MODEL_PII_TYPES,
];

/** Options of the stage `pii_scanner`. */
export interface PiiOptions {
  /**
   * The types to look for. Default: the seven of the specification and the types of a classifier; national identifiers only
   * where listed.
   */
  readonly types?: TypeSwitches<PiiType | NationalIdType | ModelPiiType> | undefined;
  /**
   * Values to ignore: literal, or an expression where it has one of `\\ [ ] ^ $ * | { }`, which must
   * match the whole value and run in linear time.
   */
  readonly exceptions?: readonly string[] | undefined;
  /** Types of your own, found by patterns that are proven to take linear time. */
  readonly custom?: readonly CustomPattern[] | undefined;
  /** How much of a scan a classifier is shown, where the pipeline has one. */
  readonly classifier?: ClassifierOptions | undefined;
}

const MAX_CUSTOM = 200;

/** As for the other types: what identifies a person for life is critical, a document high. */
function nationalSeverity(type: NationalIdType): FindingSeverity {
  const risk = NATIONAL_RISK[type];
  if (risk >= 0.95) return 'critical';
  return risk >= 0.8 ? 'high' : 'medium';
}

const KEYS: ReadonlySet<string> = new Set(['types', 'patterns', 'exceptions', 'custom']);

/** The stage `pii_scanner`; in JSON `patterns`, a name of the specification, switches the seven types. */
export const piiStage: ClassifiedStageDefinition<'pii_scanner', 'pii'> = frozen({
  name: 'pii_scanner',
  score: 'pii',
  types: ALL_TYPES,
  reads: ['prompt', 'response', 'context'],
  readsSystem: true,
  isDefault: true,
  scoring: 'risk',
  isScoreJudged: true,
  risks: ALL_PII_RISKS,
  code: 'PII_DETECTED',
  rules: [{ threshold: 0.6, action: 'block' }, { action: 'flag' }],
  severities: {
    byType: {
      ...Object.fromEntries(NATIONAL_ID_TYPES.map((type) => [type, nationalSeverity(type)])),
      ...Object.fromEntries(DEFINITIONS.map(({ type, severity }) => [type, severity])),
    },
    otherwise: 'medium',
  },
  compares: false,
  classifier: {
    switches: ['types', 'patterns'],
    threshold: 0.5,
    minScore: 0.5,
    exceptions: 'exceptions',
    needsPlace: true,
  },
  commandLine: { isMasked: true },
  create(options, path) {
    const { types, patterns, exceptions = [], custom = [] } = checkRecord(path, options, KEYS);
    const listed = checkSwitches(`${path}.types`, types, ALL_TYPES, TYPES);
    const switched = checkSwitches(`${path}.patterns`, patterns, TYPES);
    const isExempt = compileExceptions(`${path}.exceptions`, exceptions);
    const own = checkCustomTypes(`${path}.custom`, custom);
    const { risks = ALL_PII_RISKS } = customFacts(options);
    const wanted = DEFINITIONS.filter(({ type }) => listed.has(type) && switched.has(type));
    // The detectors and the metadata of libphonenumber take longer to load than the rest of the package.
    const withScan = lazily(async () => {
      const { scanPii } = await import('./pii-scan.ts');
      const types: LoadedType[] = [];
      // One after the other: Jest's loader fails at imports at once of modules that share others.
      for (const definition of wanted) types.push({ definition, create: await definition.load() });
      types.push(...(await loadNational(listed)), ...(await loadCustom(own)));
      return { scanPii, types };
    });
    const run: StageRun = (context) =>
      withScan(({ scanPii, types }) => scanPii(context, types, isExempt, risks));
    return Object.assign(run, { load: () => withScan(() => undefined), readsFieldsApart: true });
  },
  withOptions: customFacts,
});

/** The types of patterns, with their risks; none where there are no patterns. */
function customFacts({ custom = [] }: PiiOptions): {
  types?: string[];
  risks?: Record<string, number>;
} {
  if (custom.length === 0) return {};
  const own = custom.map(({ type, risk = DEFAULT_RISK }) => [type, risk] as const);
  return {
    types: [...new Set<string>([...ALL_TYPES, ...own.map(([type]) => type)])],
    risks: { ...ALL_PII_RISKS, ...Object.fromEntries(own) },
  };
}

async function loadNational(listed: ReadonlySet<string>): Promise<LoadedType[]> {
  if (!NATIONAL_ID_TYPES.some((type) => listed.has(type))) return [];
  const { createNationalDetectors } = await import('./national/index.ts');
  return [...createNationalDetectors(listed).values()].map((detect) => ({
    definition: { hasDigit: true },
    create: () => detect,
  }));
}

async function loadCustom(patterns: readonly CheckedPattern[]): Promise<LoadedType[]> {
  if (patterns.length === 0) return [];
  const { detectorOf } = await import('./pattern-detector.ts');
  return patterns.map((pattern) => {
    const { detect } = detectorOf(pattern);
    const detectWith: PiiDetector = (text, { tokens }) => detect(text, tokens);
    return { definition: { hasDigit: false }, create: () => detectWith };
  });
}

function checkCustomTypes(path: string, custom: unknown): readonly CheckedPattern[] {
  if (!Array.isArray(custom) || custom.length > MAX_CUSTOM) {
    throw new PipelineConfigError(path, `expected a list of at most ${MAX_CUSTOM} patterns`);
  }
  return [...custom].map((pattern: CustomPattern, index) => {
    const checked = checkCustomPattern(pattern, `${path}[${index}]`);
    if (DETECTED.some((known) => known === checked.type)) {
      const message = `${checked.type} is a type of this package; choose another name`;
      throw new PipelineConfigError(`${path}[${index}].type`, message);
    }
    return checked;
  });
}

/**
 * Personal data in prompt, response and context. Its score `pii` is the combined risk.
 *
 * @example
 * pii({
 *   types: ['email', 'ssn'],
 *   custom: [{ type: 'employee_id', pattern: /\bE\d{6}\b/, context: ['employee'], risk: 0.6 }],
 * })
 */
export function pii(options: PiiOptions & StageSettings = {}): StageValue {
  return stageValue(piiStage, options);
}
