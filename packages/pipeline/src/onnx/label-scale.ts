/** Moves a threshold to 0.5, in straight lines on both sides. */
export function moveThreshold(probability: number, threshold: number): number {
  if (probability < threshold) return (probability / threshold) * 0.5;
  return 0.5 + ((probability - threshold) / (1 - threshold)) * 0.5;
}

/** The probabilities of classes of which exactly one holds. */
export function softmax(logits: Float32Array): Float32Array {
  const most = logits.reduce((held, next) => Math.max(held, next), Number.NEGATIVE_INFINITY);
  const powers = logits.map((logit) => Math.exp(logit - most));
  const sum = powers.reduce((held, next) => held + next, 0);
  return powers.map((power) => power / sum);
}

/** The probability of one class by itself. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
