import type { StageConfig } from '@probity/pipeline';
import type { Issue, KeyPath } from './issues.ts';
import { errorAt } from './issues.ts';
import type { ConfigurationValues } from './schema.ts';
import type { TermPlace, WithFiles } from './stage-files.ts';
import type { YamlTree } from './yaml-tree.ts';

type Terms = ConfigurationValues['stage_config']['terms_scanner'];

/** The lists of `terms_scanner` as the stage takes them. */
export function toTermLists({ lists }: Pick<Terms, 'lists'>) {
  return lists.map(({ type, terms, case_sensitive, whole_words, risk }) => ({
    ...{ type, terms, risk },
    caseSensitive: case_sensitive,
    wholeWords: whole_words,
  }));
}

/** The patterns of `terms_scanner` as the stage takes them. */
export function toTermPatterns({ patterns }: Pick<Terms, 'patterns'>) {
  return patterns.map(({ type, pattern, flags, context, risk }) => ({
    ...{ type, risk, pattern: { source: pattern, flags } },
    ...(context && { context }),
  }));
}

/**
 * What the stages refuse of their options: patterns that could take long, which are never run, and terms that match
 * nothing. Each value is checked by itself, so that all errors are told at once. The pipeline is loaded where there is
 * something to check.
 */
export async function stageOptionIssues(
  { values, termPlace }: WithFiles,
  tree: YamlTree,
): Promise<Issue[]> {
  const { stage_config, allowlists } = values;
  const { secrets_scanner, terms_scanner } = stage_config;
  const exceptions = allowlists.pii_exceptions.patterns;
  const lists = toTermLists(terms_scanner);
  const patterns = toTermPatterns(terms_scanner);
  if (!exceptions.length && !secrets_scanner.exceptions.length && !lists.length) {
    if (!patterns.length) return [];
  }
  const refusalOf = await loadCheck();
  const issues: Issue[] = [];
  const check = (
    name: StageConfig['name'],
    options: Readonly<Record<string, unknown>>,
    placeOf: (rest: KeyPath) => TermPlace,
  ) => {
    const refusal = refusalOf(name, options);
    if (refusal === undefined) return;
    const { path, prefix } = placeOf(refusal.path);
    issues.push(errorAt(tree.placeOf(path), tree.pathOf(path), prefix + refusal.message));
  };
  const at = (...path: KeyPath) => {
    return () => ({ path, prefix: '' });
  };
  exceptions.forEach((pattern, index) => {
    const place = at('allowlists', 'pii_exceptions', 'patterns', index);
    check('pii_scanner', { exceptions: [pattern] }, place);
  });
  secrets_scanner.exceptions.forEach((pattern, index) => {
    const place = at('stage_config', 'secrets_scanner', 'exceptions', index);
    check('secrets_scanner', { exceptions: [pattern] }, place);
  });
  lists.forEach((list, index) => {
    // What is wrong with its file has been told.
    if (list.terms.length === 0 && terms_scanner.lists[index]?.file !== undefined) return;
    check('terms_scanner', { lists: [list] }, ([, , ...rest]) => {
      const [member, term] = rest;
      if (member === 'terms' && typeof term === 'number') return termPlace(index, term);
      return { path: ['stage_config', 'terms_scanner', 'lists', index, ...rest], prefix: '' };
    });
  });
  patterns.forEach((pattern, index) => {
    check('terms_scanner', { patterns: [pattern] }, ([, , ...rest]) => {
      return { path: ['stage_config', 'terms_scanner', 'patterns', index, ...rest], prefix: '' };
    });
  });
  // What is wrong with one list alone has been told.
  if (issues.length === 0 && lists.length > 1) {
    check('terms_scanner', { lists }, (rest) => {
      return { path: ['stage_config', 'terms_scanner', ...rest], prefix: '' };
    });
  }
  return issues;
}

/** What a stage refuses, and where below its options. */
interface Refusal {
  readonly path: KeyPath;
  readonly message: string;
}

async function loadCheck() {
  const { createPipeline, PipelineConfigError } = await import('@probity/pipeline');
  return (name: StageConfig['name'], options: StageConfig['options']): Refusal | undefined => {
    try {
      createPipeline({ stages: [{ name, options }] });
      return undefined;
    } catch (error) {
      if (!(error instanceof PipelineConfigError)) throw error;
      const { option, message } = error;
      const below = option.slice(`stages.${name}.options`.length);
      const path = [...below.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, member]) =>
        index === undefined ? (member ?? '') : Number(index),
      );
      return { path, message: message.slice(option.length + 2) };
    }
  };
}
