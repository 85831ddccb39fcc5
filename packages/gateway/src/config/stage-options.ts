import type { Issue } from './issues.ts';
import { errorAt } from './issues.ts';
import type { YamlTree } from './yaml-tree.ts';

const PATH = ['allowlists', 'pii_exceptions', 'patterns'] as const;

/** Patterns that the stage refuses, each by itself: one that could take long is never run. */
export async function exceptionIssues(
  patterns: readonly string[],
  tree: YamlTree,
): Promise<Issue[]> {
  if (patterns.length === 0) return [];
  const { createPipeline, PipelineConfigError } = await import('@probity/pipeline');
  return patterns.flatMap((pattern, at) => {
    try {
      createPipeline({ stages: [{ name: 'pii_scanner', options: { exceptions: [pattern] } }] });
      return [];
    } catch (error) {
      if (!(error instanceof PipelineConfigError)) throw error;
      const path = [...PATH, at];
      const message = error.message.slice(error.option.length + 2);
      return [errorAt(tree.placeOf(path), path, message)];
    }
  });
}
