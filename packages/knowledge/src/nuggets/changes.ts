import { notFound } from '@probity/core';
import { parseConfidence } from './confidence.ts';
import type { NewNugget, Nugget } from './types.ts';

/** The fields of a nugget that an organization gives. */
export type NuggetFields = Pick<Nugget, 'claim' | 'sourceUrl' | 'category' | 'confidence'>;

/** Fields from an input that was checked. */
export function fieldsOf(input: NewNugget): NuggetFields {
  const { claim, sourceUrl, category = null, confidence = null } = input;
  return { claim, sourceUrl, category, confidence: toConfidence(confidence) };
}

/** A checked confidence as a number. */
export function toConfidence(value: number | string | null): number | null {
  return value === null ? null : (parseConfidence(value) ?? null);
}

/** Whether a nugget has these fields already. */
export function hasFields(nugget: NuggetFields, fields: NuggetFields): boolean {
  return (
    nugget.claim === fields.claim &&
    nugget.sourceUrl === fields.sourceUrl &&
    nugget.category === fields.category &&
    nugget.confidence === fields.confidence
  );
}

/** The fields by their names in the API, as the audit log records them. */
export function auditFieldsOf({ claim, sourceUrl, category, confidence }: NuggetFields) {
  return { claim, source_url: sourceUrl, category, confidence };
}

/** @throws ProbityError `not_found` for null */
export function requireNugget(nugget: Nugget | null): Nugget {
  if (!nugget) throw notFound('nugget');
  return nugget;
}
