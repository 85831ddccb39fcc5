import type { Guard } from './contamination/contamination-scan.ts';
import { requireKnownMembers, typeOf } from './known-members.ts';
import type { Nugget } from './truth/knowledge-index.ts';
import type { Field } from './types.ts';

/** Texts that are prepared for `contamination_check`; made by `prepareProtectedTexts`. */
export interface ProtectedTexts {
  /** Never set: what was prepared is the package's own. */
  readonly prepared?: never;
}

/** What one scan compares with, beside what the options of its stages name: data of a tenant, for example. */
export interface ScanMaterial {
  /**
   * Called by `truth_scan` and `output_truth_scanner` with the claims that they check, within their time, for
   * statements that are taken for true and may be about them. A stage whose call fails has the status `failed`.
   *
   * @param texts at most 200, where a text has more claims several of them together
   * @param field where the claims stand: `prompt` (`truth_scan`) or `response` (`output_truth_scanner`)
   * @returns at most some thousand statements; two of one id count once
   */
  knowledge?(
    texts: readonly string[],
    signal: AbortSignal,
    field: Field,
  ): Promise<readonly Required<Nugget>[]>;
  /** What `contamination_check` looks for. */
  readonly protectedTexts?: ProtectedTexts | undefined;
}

const prepared = new WeakMap<ProtectedTexts, Guard>();

/** Keeps what was prepared out of sight. */
export function toProtectedTexts(guard: Guard): ProtectedTexts {
  const texts: ProtectedTexts = Object.freeze({});
  prepared.set(texts, guard);
  return texts;
}

/** What was prepared. */
export function guardOf(texts: ProtectedTexts | undefined): Guard | undefined {
  return texts && prepared.get(texts);
}

/** @throws TypeError for material of another form */
export function requireMaterial(owner: string, material: ScanMaterial | undefined): void {
  if (material === undefined) return;
  requireKnownMembers(`${owner}: material`, material, ['knowledge', 'protectedTexts']);
  const { knowledge, protectedTexts } = material;
  if (knowledge !== undefined && typeof knowledge !== 'function') {
    throw new TypeError(
      `${owner}: material.knowledge must be a function; got ${typeOf(knowledge)}.`,
    );
  }
  if (protectedTexts === undefined || guardOf(protectedTexts)) return;
  throw new TypeError(`${owner}: material.protectedTexts must be made by prepareProtectedTexts().`);
}
