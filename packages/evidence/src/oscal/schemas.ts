import { timestamp } from '@probity/core/koa';
import { z } from 'zod';

const line = z.string().regex(/^\S(?:.*\S)?$/u);
// OSCAL takes letters of every script; the ids and names of the catalog are ASCII.
const token = z.string().regex(/^[A-Za-z_][A-Za-z0-9._-]*$/);

const property = z
  .strictObject({ name: token, ns: z.url().optional(), value: line, class: token.optional() })
  .meta({ id: 'OscalProperty' });

const control = z
  .strictObject({
    id: token.describe('The id of the obligation.'),
    class: token,
    title: line,
    props: z.array(property).min(1),
    parts: z.array(z.strictObject({ id: token, name: token, prose: z.string() })).min(1),
  })
  .meta({ id: 'OscalControl' });

/** The catalog of obligations (OSCAL catalog model). */
export const oscalCatalog = z
  .strictObject({
    catalog: z.strictObject({
      uuid: z.uuid().describe('Version 5: the same for the same obligations.'),
      metadata: z.strictObject({
        title: line,
        'last-modified': timestamp,
        version: line,
        'oscal-version': line,
        remarks: z.string(),
      }),
      groups: z
        .array(
          z.strictObject({
            id: token,
            class: token,
            title: line,
            props: z.array(property).min(1),
            controls: z.array(control).min(1),
          }),
        )
        .min(1),
    }),
  })
  .meta({ id: 'OscalCatalog' });
/** A document of {@link oscalCatalog}. */
export type OscalCatalog = z.infer<typeof oscalCatalog>;
