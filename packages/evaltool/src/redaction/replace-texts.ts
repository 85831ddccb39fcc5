import type { Evaluation, EvaluationPlugin, EvaluationResult } from '../types.ts';

/** Replaces parts of texts: resolves to as many texts as it is given, in the same order. */
export type ReplaceTexts = (texts: readonly string[]) => Promise<readonly string[]>;

/**
 * Passes every text of an evaluation through `replace`, each different text once: ids and labels of providers, labels
 * of prompts, names of assertions and plugins, and reasons.
 * @throws the error of `replace`
 */
export async function replaceTexts(
  evaluation: Evaluation,
  replace: ReplaceTexts,
): Promise<Evaluation> {
  const texts = [...new Set(evaluation.results.flatMap(textsOf))];
  const replaced = await replace(texts);
  const byText = new Map(texts.map((text, index) => [text, replaced[index] ?? null]));
  const read = (text: string | null) => (text === null ? null : (byText.get(text) ?? null));
  return { ...evaluation, results: evaluation.results.map((result) => withTexts(result, read)) };
}

function textsOf({ provider, promptLabel, assertions, plugin, gradingReason }: EvaluationResult) {
  const named = [provider.id, provider.label, promptLabel, ...Object.values(plugin), gradingReason];
  const texts: Array<string | null> = [...named, ...assertions.map(({ type }) => type)];
  return texts.filter((text) => text !== null);
}

function withTexts(
  result: EvaluationResult,
  read: (text: string | null) => string | null,
): EvaluationResult {
  const { provider, plugin } = result;
  const names: EvaluationPlugin = {
    pluginId: read(plugin.pluginId),
    severity: read(plugin.severity),
    strategyId: read(plugin.strategyId),
  };
  return {
    ...result,
    provider: { id: read(provider.id) ?? 'unknown', label: read(provider.label) },
    promptLabel: read(result.promptLabel),
    assertions: result.assertions.map(({ type, passed }) => ({ type: read(type) ?? type, passed })),
    plugin: names,
    gradingReason: read(result.gradingReason),
  };
}
