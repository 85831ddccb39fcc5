import type { ClassModel, CurvePoint, LinearModel } from '@probity/pipeline/internal';
import { lengthOdds } from '@probity/pipeline/internal';
import type { BlendSettings, BlendTexts, Lexicon } from './blended.ts';
import { fitBlend, joinModels, joinText, packClasses, partModels } from './blended.ts';
import type { LinearExample, PackedText } from './linear.ts';
import { packTexts, predictLinear } from './linear.ts';
import { balanceWeights, quantize, toModelText } from './linear-model.ts';
import type { HeldOutRow, LearnRow, Recipe } from './linear-recipe.ts';
import { curveOf, divide } from './linear-recipe.ts';

/** What a blend of words and their classes learns and how. */
export type BlendRecipe = Omit<Recipe, 'settings' | 'verdict'> & { readonly blend: BlendSettings };

/** The model of words, that of their classes, and the rows that they were calibrated on. */
export interface TrainedBlend {
  readonly hashed: LinearModel;
  readonly classes: ClassModel;
  readonly heldOut: readonly HeldOutRow[];
}

/**
 * Fits both models to all rows, and once for each fold without that fold's sources: the scores of
 * those rows, from models that have not seen their source, set the curves.
 */
export function trainBlend(
  rows: readonly LearnRow[],
  lexicon: Lexicon,
  recipe: BlendRecipe,
): TrainedBlend {
  const { hashed, classes, share } = recipe.blend;
  const plain = rows.map(({ text }) => toModelText(text));
  const texts: BlendTexts = {
    hashed: packTexts(plain, hashed.bits),
    classes: packClasses(plain, lexicon, classes.bits),
  };
  const fit = (numbers: readonly number[]) => {
    const examples = examplesOf(
      numbers.map((at) => rows[at] as LearnRow),
      recipe,
    );
    return fitBlend(examples, texts, numbers, recipe.blend);
  };
  const heldOut: HeldOutRow[] = [];
  for (const fold of recipe.folds) {
    const [held, kept] = divide(rows, fold);
    if (held.length === 0) continue;
    const scores = predictLinear(joinModels(fit(kept), share), joinTexts(texts, held, hashed.bits));
    held.forEach((at, index) => {
      const words = (texts.hashed[at] as PackedText).tokens.reduce((sum, count) => sum + count, 0);
      const logOdds = (scores[index] as number[]).map((odds) => odds - lengthOdds(words));
      heldOut.push({ ...(rows[at] as LearnRow), logOdds });
    });
  }
  const curves = recipe.heads.map((_, head) => lengthen(curveOf(heldOut, recipe, head)));
  const whole = fit(rows.map((_, at) => at));
  const parts = partModels(joinModels(whole, share), whole);
  return {
    hashed: quantize(parts.hashed, recipe.heads, curves),
    classes: { ...lexicon, weights: quantize(parts.classes, recipe.heads, curves) },
    heldOut,
  };
}

/** The rows of one fit, balanced among themselves, so that every fold's logits mean the same. */
function examplesOf(
  rows: readonly LearnRow[],
  recipe: Pick<BlendRecipe, 'targets' | 'factors'>,
): LinearExample[] {
  const weights = balanceWeights(rows, recipe.factors);
  return rows.map((row, at) => ({
    targets: recipe.targets(row),
    weight: weights[at] as number,
  }));
}

const MOST_ODDS = 18;
const DIGITS = 1e9;

/** Goes on above a curve's end, where many a toxic text lies, so that these still differ in score. */
function lengthen(curve: readonly CurvePoint[]): CurvePoint[] {
  const [[before] = [0], [last, score] = [0, 0]] = curve.slice(-2);
  const odds = Math.log(score / (1 - score));
  const longer = [...curve];
  for (let more = 0.5; odds + more <= MOST_ODDS; more += 0.5) {
    const higher = 1 / (1 + Math.exp(-odds - more));
    longer.push([last + 2 * more * (last - before), Math.round(higher * DIGITS) / DIGITS]);
  }
  return longer;
}

function joinTexts(texts: BlendTexts, numbers: readonly number[], bits: number): PackedText[] {
  return numbers.map((at) =>
    joinText(texts.hashed[at] as PackedText, texts.classes[at] as PackedText, bits),
  );
}
