import type { ScanFinding, ScanRequest } from '@probity/governance';
import type { DecidedFinding } from '@probity/pipeline';
import type { AuditFinding } from '../audit/rows.ts';
import type { PersonalData } from '../compliance/personal-data.ts';

/** A finding as it is recorded. */
type Located = (DecidedFinding | ScanFinding) & { readonly path?: string };

/** The characters that were found; undefined where they are not known any more. */
export type ValueOf = (finding: Located) => string | undefined;

/** What was found in a request. Of a conversation what stands at its path. */
export function valuesOf(request: ScanRequest): ValueOf {
  const textOf = textsOf(request);
  return (finding) => textOf(finding)?.slice(finding.start, finding.end);
}

function textsOf({ prompt, response, context, messages }: ScanRequest) {
  const passages = typeof context === 'string' ? [context] : (context ?? []);
  return ({ field, contextIndex = 0, path }: Located): string | undefined => {
    if (field === 'prompt') return prompt ?? undefined;
    if (field === 'response') return response ?? undefined;
    if (field === 'context') return passages[contextIndex];
    return path === undefined ? undefined : textAt(messages, path);
  };
}

const STEP = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/y;

/** The text at a path such as `[2].content[0].text`; where a text is JSON, the path may go on within it. */
function textAt(value: unknown, path: string): string | undefined {
  let held = value;
  STEP.lastIndex = 0;
  for (let step = STEP.exec(path); step; step = STEP.exec(path)) {
    const name = step[1] ?? step[2] ?? step[3] ?? '';
    held = memberOf(typeof held === 'string' ? parsed(held) : held, name);
  }
  return typeof held === 'string' ? held : undefined;
}

function memberOf(held: unknown, name: string): unknown {
  if (typeof held !== 'object' || held === null || !Object.hasOwn(held, name)) return undefined;
  return (held as Readonly<Record<string, unknown>>)[name];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Findings that carry a value; more of one scan say nothing new, and each is hashed. */
export const RECORDED_VALUES = 100;

/** Findings as they are recorded: those of personal data with their value, as it may be shown. */
export function toAuditFindings(
  findings: readonly Located[],
  matched: ValueOf,
  personal: PersonalData,
): AuditFinding[] {
  let values = 0;
  return findings.map((finding) => {
    const { stage, type, score, field, start, end } = finding;
    const plain = { stage, type, score, field, start, end };
    if (stage !== 'pii_scanner' || values++ >= RECORDED_VALUES) return plain;
    const text = matched(finding);
    const value = text ? personal.showValue(text) : undefined;
    return value === undefined ? plain : { ...plain, value };
  });
}
