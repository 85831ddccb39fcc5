import type { ListObligationsQuery } from '@probity/client';
import { Option } from 'commander';

/** A framework of the catalogue, as the API names it. */
export type Framework = NonNullable<ListObligationsQuery['framework']>;

/** The frameworks by the names that a command line takes; the compiler says when one is missing. */
const FRAMEWORKS = {
  'eu-ai-act': 'EU AI Act',
  'eu-harmonised-standards': 'EU harmonised standards (draft)',
  'nist-ai-rmf': 'NIST AI RMF',
  'nist-ai-600-1': 'NIST AI 600-1',
  'nist-cosais': 'NIST COSAiS (draft)',
  'iso-42001': 'ISO 42001',
  'soc-2': 'SOC 2',
} as const satisfies Readonly<Record<string, Framework>>;

type Named = (typeof FRAMEWORKS)[keyof typeof FRAMEWORKS];

/**
 * The framework that a text names, in any case and with or without spaces and hyphens. Another text stays as
 * it is: a server that is newer than this command may know it, and one that does not lists those it knows.
 */
function parseFramework(text: string): Framework {
  const wanted = plain(text);
  const found: Named | undefined = Object.entries(FRAMEWORKS).find(([name, framework]) =>
    [name, framework].some((each) => plain(each) === wanted),
  )?.[1];
  return found ?? (text as Framework satisfies Named);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\(draft\)|[^a-z0-9]/g, '');
}

/** `--framework`. */
export function frameworkOption(description: string): Option {
  return new Option('--framework <name>', description)
    .choices(Object.keys(FRAMEWORKS))
    .argParser(parseFramework);
}
