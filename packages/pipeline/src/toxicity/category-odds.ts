/** The categories of the specification's key `stage_config.toxicity_scanner.categories`. */
export const TOXICITY_CATEGORIES = [
  'hate_speech',
  'harassment',
  'self_harm',
  'violence',
  'sexual_content',
] as const;

/** One of the five categories of toxic text. */
export type ToxicityCategory = (typeof TOXICITY_CATEGORIES)[number];

/** The heads of the model, in order: the categories, and whether a text is toxic at all. */
export const HEAD_NAMES: readonly string[] = [...TOXICITY_CATEGORIES, 'any'];

/** How much the strongest category counts beside the head for toxic text of any kind. */
const CATEGORY_WEIGHT = 0.5;

/** Log-odds that a text is toxic, and of each category. */
export interface CategoryOdds {
  readonly overall: number;
  readonly byCategory: readonly number[];
}

/**
 * Joins the heads: whether a text is toxic is learned from every source, which category from fewer.
 * The strongest category has the odds of the whole; another one less by as much as its own head is
 * below the strongest.
 */
export function toCategoryOdds(heads: readonly number[]): CategoryOdds {
  const any = heads[TOXICITY_CATEGORIES.length] as number;
  const categories = heads.slice(0, TOXICITY_CATEGORIES.length);
  const strongest = Math.max(...categories);
  const overall = (any + CATEGORY_WEIGHT * strongest) / (1 + CATEGORY_WEIGHT);
  return { overall, byCategory: categories.map((odds) => overall - (strongest - odds)) };
}
