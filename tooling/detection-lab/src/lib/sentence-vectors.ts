import { createMeaningEncoder } from '@probity/pipeline/backends';

/** Texts that are embedded in one call. */
const CALL = 64;

/** The vectors of texts, by the encoder of the tier `meaning`; prints how far it is. */
export async function embedTexts(texts: readonly string[]): Promise<Float32Array[]> {
  const encoder = createMeaningEncoder({ timeoutMs: 600_000 });
  // Texts of one length side by side: in one go, each costs as much as the longest.
  const order = [...texts.keys()].sort(
    (a, b) => (texts[a] as string).length - (texts[b] as string).length,
  );
  const vectors = new Array<Float32Array>(texts.length);
  for (let from = 0; from < order.length; from += CALL) {
    const chosen = order.slice(from, from + CALL);
    const made = await encoder.embed(
      chosen.map((at) => texts[at] as string),
      new AbortController().signal,
    );
    chosen.forEach((at, index) => {
      vectors[at] = made[index] as Float32Array;
    });
    if (from % (CALL * 16) === 0) console.log(`${from} of ${texts.length} texts embedded`);
  }
  await encoder.close();
  return vectors;
}
