import { EvaluationError } from '../errors.ts';
import type { Kept, Shape } from '../json/shape.ts';
import { object, SCALAR } from '../json/shape.ts';
import { ShapedReader } from '../json/shaped-reader.ts';
import { Slices } from '../steps.ts';
import type { Evaluation } from '../types.ts';
import type { ReadOptions } from './file-reader.ts';
import { FileReader } from './file-reader.ts';
import { toUtf8 } from './utf-8.ts';
import { isObject } from './values.ts';

/** A JSON text in parts, in UTF-8; a file may have UTF-16. */
export type JsonSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Bytes between two looks at the time. */
const PART = 16_384;

/** Labels beyond this number are not read; one more than any interface accepts. */
const MAX_LABELS = 101;

/**
 * Reads an output file of the evaluation tool, in any of its forms, as a stream: texts that are not
 * kept are passed over whatever they hold, and the event loop gets a turn every few milliseconds.
 * @throws EvaluationError when the text is not JSON or no evaluation
 */
export async function readEvaluation(
  source: JsonSource,
  options: ReadOptions = {},
): Promise<Evaluation> {
  const file = new FileReader('', options);
  const value = await readAll(toUtf8(source), file.shape, [file]);
  return new Slices().run(file.finish(value, null));
}

/** The body of an import, of which only the evaluation has been validated. */
export interface ImportBody {
  readonly evaluation: Evaluation;
  /** These are as sent: scalars, or an empty object or array in place of one; undefined when absent. */
  readonly aiSystemId: unknown;
  readonly storeGradingReason: unknown;
  /** By name, without a prototype; a label that is no scalar is an empty object or array. */
  readonly labels: unknown;
  /** Names of members that no import has. */
  readonly unknownMembers: readonly string[];
}

/**
 * Reads the body of an import: an object with `evaltoolOutput` and, in any order, `aiSystemId`,
 * `labels`, `storeGradingReason` and `contentDigest`; or an output file itself, which has `results`
 * instead, with the same members added or not.
 * @throws EvaluationError when the text is not JSON, or evaltoolOutput no evaluation
 */
export async function readImportBody(
  source: JsonSource,
  options: ReadOptions = {},
): Promise<ImportBody> {
  const file = new FileReader('evaltoolOutput', options);
  const bare = new FileReader('', options);
  const unknownMembers = new Set<string>();
  const body = await readAll(source, bodyShape(file, bare, unknownMembers), [file, bare]);
  if (!isObject(body)) {
    throw new EvaluationError(
      'invalid_evaluation',
      '',
      'The body must be an object with evaltoolOutput.',
    );
  }
  const digest = digestOf(body.get('contentDigest'));
  const isBare = !body.has('evaltoolOutput') && body.has('results');
  const steps = isBare
    ? bare.finish(body, digest)
    : file.finish(body.get('evaltoolOutput'), digest);
  const evaluation = await new Slices().run(steps);
  return {
    evaluation,
    aiSystemId: toValue(body.get('aiSystemId')),
    storeGradingReason: toValue(body.get('storeGradingReason')),
    labels: toValue(body.get('labels')),
    // A file has more members than are read.
    unknownMembers: isBare ? [] : [...unknownMembers],
  };
}

function bodyShape(file: FileReader, bare: FileReader, unknownMembers: Set<string>): Shape {
  let labels = 0;
  const shapes = object({
    evaltoolOutput: file.shape,
    aiSystemId: SCALAR,
    storeGradingReason: SCALAR,
    labels: {
      member() {
        labels += 1;
        return labels <= MAX_LABELS ? SCALAR : undefined;
      },
    },
    contentDigest: SCALAR,
  });
  return {
    member(name) {
      const shape = shapes.member?.(name);
      if (!shape && unknownMembers.size < MAX_LABELS) unknownMembers.add(name.slice(0, 100));
      if (name === 'contentDigest') {
        file.onDigestGiven();
        bare.onDigestGiven();
      }
      return shape ?? bare.shape.member?.(name);
    },
  };
}

async function readAll(
  source: JsonSource,
  shape: Shape,
  files: readonly FileReader[],
): Promise<Kept> {
  const reader = new ShapedReader(shape);
  const slices = new Slices();
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PART) {
      reader.write(chunk.subarray(at, at + PART));
      for (const file of files) await slices.run(file.reduce());
      await slices.pause();
    }
  }
  return reader.end();
}

function digestOf(value: Kept | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
  throw new EvaluationError(
    'invalid_evaluation',
    'contentDigest',
    'contentDigest must be a SHA-256 in 64 hexadecimal digits in lower case.',
  );
}

function toValue(value: Kept | undefined): unknown {
  if (!isObject(value)) return value;
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, member] of value) object[name] = toValue(member);
  return object;
}
