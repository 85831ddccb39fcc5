import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { oscalCatalog } from '../../src/oscal/schemas.ts';

/** Where the schema is that NIST publishes with each release of OSCAL: `npm test` fetches it. */
const PUBLISHED = process.env.TEST_OSCAL_SCHEMA ?? '';

/** Why documents are not validated by the published schema; false where it is there. */
export const withoutPublishedSchema: string | false = existsSync(PUBLISHED)
  ? false
  : 'the published schema of OSCAL is out of reach';

/** Asserts that a document is valid by the schema that NIST has published. */
export function assertPublished(document: unknown): void {
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: true });
  // The package's types are those of CommonJS.
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(PUBLISHED, 'utf8')));
  assert.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 5), null, 1));
}

const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const line = z.string().regex(/^\S(?:.*\S)?$/u);
const token = z.string().regex(/^[\p{L}_][\p{L}\p{N}._-]*$/u);
const time = z.iso.datetime();
const property = z.strictObject({
  ...{ name: token, value: line, ns: z.string().startsWith('urn:').optional() },
  class: token.optional(),
});
const props = z.array(property).min(1);
const link = z.strictObject({
  ...{ href: line, rel: token.optional(), 'media-type': line.optional(), text: line.optional() },
});
const links = z.array(link).min(1);

const observation = z.strictObject({
  ...{ uuid, title: line, description: z.string(), props, links: links.optional() },
  methods: z.array(z.enum(['TEST', 'EXAMINE', 'UNKNOWN'])).min(1),
  types: z.array(token).min(1),
  subjects: z
    .array(z.strictObject({ 'subject-uuid': uuid, type: z.literal('component') }))
    .min(1)
    .optional(),
  'relevant-evidence': z.array(z.strictObject({ href: line, description: z.string() })).min(1),
  collected: time,
});

const finding = z.strictObject({
  ...{ uuid, title: line, description: z.string(), links },
  target: z.strictObject({
    type: z.literal('objective-id'),
    'target-id': token,
    status: z.strictObject({
      ...{ state: z.enum(['satisfied', 'not-satisfied']), reason: token, remarks: z.string() },
    }),
  }),
  props,
  'related-observations': z
    .array(z.strictObject({ 'observation-uuid': uuid }))
    .min(1)
    .optional(),
});

const component = z.strictObject({
  ...{ uuid, type: line, title: line, description: z.string(), props },
  status: z.strictObject({ state: z.literal('other'), remarks: z.string() }),
});

const selection = z.strictObject({
  description: z.string(),
  'include-controls': z
    .array(z.strictObject({ 'control-id': token }))
    .min(1)
    .optional(),
  'include-all': z.strictObject({}).optional(),
});

/** What of the assessment-results model the export uses, each object with no other members. */
export const assessmentResults = z.strictObject({
  'assessment-results': z.strictObject({
    uuid,
    metadata: z.strictObject({
      ...{ title: line, 'last-modified': time, version: line, 'oscal-version': line, props, links },
      parties: z
        .array(z.strictObject({ uuid, type: z.literal('organization'), name: line }))
        .min(1),
      remarks: z.string(),
    }),
    'import-ap': z.strictObject({ href: line }),
    results: z
      .array(
        z.strictObject({
          ...{ uuid, title: line, description: z.string(), start: time },
          'reviewed-controls': z.strictObject({ 'control-selections': z.array(selection).min(1) }),
          'local-definitions': z.strictObject({ components: z.array(component).min(1) }).optional(),
          observations: z.array(observation).min(1).optional(),
          findings: z.array(finding).min(1).optional(),
        }),
      )
      .length(1),
    'back-matter': z.strictObject({
      resources: z.array(z.strictObject({ uuid, title: line, description: z.string() })).min(1),
    }),
  }),
});
/** A document of {@link assessmentResults}. */
export type AssessmentResults = z.infer<typeof assessmentResults>;

export { oscalCatalog };
