import { typeOf } from './known-members.ts';
import type { Field, PreparedField, Stage, StageFinding } from './types.ts';

/** A bundler may put two copies of this package into one process: each accepts the objects of the other. */
const MARK = Symbol.for('@probity/pipeline scanned fields');

/** What scans have found in single texts; made by {@link keepScannedFields}. */
export interface ScannedFields {
  readonly [MARK]: true;
}

/** What one stage found in one text. */
export interface KeptField {
  readonly findings: readonly StageFinding[];
  readonly score: number;
}

/** A text with more findings is scanned again. */
const MAX_FINDINGS = 200;

/** What is found in nothing, which is what a response is before there is one: the same in all scans. */
const inNothing = new WeakMap<Stage, Map<Field, KeptField>>();

/** The results of stages by field and text. The response is what differs from scan to scan: it is not kept. */
export class KeptFields {
  readonly #byStage = new Map<Stage, Map<Field, Map<string, KeptField>>>();

  get(stage: Stage, { field, text }: PreparedField): KeptField | undefined {
    if (text === '') return inNothing.get(stage)?.get(field);
    return this.#byStage.get(stage)?.get(field)?.get(text);
  }

  set(stage: Stage, { field, text }: PreparedField, result: KeptField): void {
    if (text === '') {
      const byField = inNothing.get(stage) ?? new Map<Field, KeptField>();
      inNothing.set(stage, byField.set(field, result));
      return;
    }
    if (field === 'response' || result.findings.length > MAX_FINDINGS) return;
    const byField = this.#byStage.get(stage) ?? new Map<Field, Map<string, KeptField>>();
    const byText = byField.get(field) ?? new Map<string, KeptField>();
    this.#byStage.set(stage, byField.set(field, byText.set(text, result)));
  }
}

const kept = new WeakMap<ScannedFields, KeptFields>();

/**
 * Keeps what the scans to which it is given find in prompts, contexts and system texts, so that a text which comes
 * again with another response is not scanned again: a prompt before it is sent, and beside its answer. The results are
 * those of scans without it. It holds the texts: to be made for one exchange, and dropped with it. Texts
 * that a pool scans in its threads are scanned each time.
 *
 * @example
 * const scanned = keepScannedFields();
 * await pipeline.scan({ prompt, response: '' }, { scanned });
 * await pipeline.scan({ prompt, response: answer }, { scanned });
 */
export function keepScannedFields(): ScannedFields {
  return Object.freeze({ [MARK]: true as const });
}

/** The results that this copy of the package has kept. */
export function keptFieldsOf(scanned: ScannedFields | undefined): KeptFields | undefined {
  if (scanned === undefined) return undefined;
  const fields = kept.get(scanned) ?? new KeptFields();
  kept.set(scanned, fields);
  return fields;
}

/** @throws TypeError for what keeps nothing */
export function requireScannedFields(owner: string, scanned: unknown): void {
  if (scanned === undefined) return;
  if (typeof scanned === 'object' && scanned !== null && MARK in scanned) return;
  const got = typeOf(scanned);
  throw new TypeError(`${owner}: options.scanned must be made by keepScannedFields(); got ${got}.`);
}
