import { ProbityError } from '@probity/core';
import { checkJsonValue, validate } from '@probity/core/internal';
import type { ImportBody } from '@probity/evaltool';
import { EvaluationError, readImportBody } from '@probity/evaltool';
import { z } from 'zod';
import { aiSystemId, labels } from '../records/input.ts';
import type { EvaluationImport } from './types.ts';

/** The largest number of results of one import (specification, "Limits"). */
const MAX_RESULTS = 500;

/** What an import has beside the evaluation, over HTTP and in code. */
export const importOptions = z.strictObject({
  aiSystemId: aiSystemId
    .nullable()
    .optional()
    .describe('The AI system that the records are about.'),
  labels: labels.optional().describe('Labels of the records.'),
  storeGradingReason: z
    .boolean()
    .optional()
    .describe('Whether the redacted reasons of failures are stored; default true.'),
});

const count = z.int().min(0);

/** The body of an import as it is documented, when it is not the file itself; it is read as a stream. */
export const evaltoolImport = importOptions
  .extend({
    evaltoolOutput: z
      .looseObject({
        version: z
          .literal([2, 3])
          .optional()
          .describe('Of the results; within `results` in a file.'),
        timestamp: z.string().optional().describe('Time of the evaluation, ISO 8601.'),
        results: z
          .union([z.array(z.looseObject({})).min(1).max(MAX_RESULTS), z.looseObject({})])
          .describe(
            'The results, or the object that holds them in a file that the tool has written.',
          ),
        stats: z
          .looseObject({ successes: count, failures: count, errors: count.optional() })
          .optional(),
      })
      .describe(
        'The JSON output file of the evaluation tool, as written or with version, timestamp, results and stats at the ' +
          'top. Prompts, outputs, variables and rubrics are passed over.',
      ),
    contentDigest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('SHA-256 that identifies an evaluation without a time.'),
  })
  .meta({ id: 'EvaltoolImport' });

/**
 * Reads the body of an import as it arrives.
 * @throws ProbityError `invalid_request` for what is no JSON or no evaluation, `validation_failed` for
 *   another member; `details` names the members
 */
export async function readImport(chunks: AsyncIterable<Uint8Array>): Promise<EvaluationImport> {
  const { evaluation, unknownMembers, ...given } = await readBody(chunks);
  const others = Object.fromEntries(unknownMembers.map((name) => [name, true]));
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const options = { ...Object.fromEntries(present), ...others };
  checkJsonValue(options);
  return { evaluation, ...validate(importOptions, options, 'body') };
}

async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<ImportBody> {
  try {
    return await readImportBody(chunks, { maxResults: MAX_RESULTS });
  } catch (cause) {
    if (!(cause instanceof EvaluationError)) throw cause;
    const { message, path } = cause;
    const details = path === '' ? undefined : [{ field: path, message: problemOf(cause) }];
    throw new ProbityError('invalid_request', message, { cause, details });
  }
}

/** The message without the name of the member, which stands beside it. */
function problemOf({ message, path }: EvaluationError): string {
  return message.slice(path.length + 1).replace(/\.$/, '');
}
