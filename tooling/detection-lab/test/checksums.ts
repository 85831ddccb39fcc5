import { createHash } from 'node:crypto';

/** The seed that the training programs use. */
export const SEED = 20261121;

/**
 * SHA-256 of the rows that the generators make from `SEED`, one as JSON on each line. Models are fitted on
 * these: a change of a template or a generator changes them on purpose only.
 */
export const CHECKSUMS = {
  injection: '33c9aba36e3846271fcd2637db3eab2d11d8e8270a6050392ef1415ca717f75d',
  toxicity: 'c901055a11ff2e545302debf8b3894d00675fce5567c22a252b0de5a9086c023',
  pii: '710c92258975e4399d880dac250ade5125d941e675fca07e6e4a3b50561617aa',
  calculations: 'ce55c21d89fad420fed9dddb96a67830674e1fced99fb47a2dcf1dcc7608a98b',
  news: '4089be8f5dbf4f90d5d19088bc250ba90ce90f7cc8e00f2c7237c5f2e6b3ed99',
} as const;

/** The checksum of a list of rows. */
export function checksumOf(rows: readonly unknown[]): string {
  return createHash('sha256')
    .update(rows.map((row) => JSON.stringify(row)).join('\n'))
    .digest('hex');
}
