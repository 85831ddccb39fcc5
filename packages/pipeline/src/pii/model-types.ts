/** How much harm a disclosed value of a type that only a model finds does, 0 to 1. */
export const MODEL_RISK = Object.freeze({
  person_name: 0.3,
  postal_address: 0.5,
});

/** The types that `pii_scanner` finds only with a classifier. */
export type ModelPiiType = keyof typeof MODEL_RISK;

/** Every type that only a model finds. */
export const MODEL_PII_TYPES: readonly ModelPiiType[] = Object.freeze(
  Object.keys(MODEL_RISK) as ModelPiiType[],
);
