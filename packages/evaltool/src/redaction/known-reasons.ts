/** A number as the tool prints it. */
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;

/** Reasons whose wording is the tool's, or this package's, and that quote nothing but numbers. */
const KNOWN: readonly RegExp[] = [
  'All assertions passed',
  'No assertions',
  'No grading result',
  'The evaluation returned an error(?: \\(HTTP \\d{3}\\))?',
  'The reason is not kept',
  'Expected output to be valid (?:JSON|XML|SQL|HTML)',
  'Expected output to not be valid (?:JSON|XML|SQL|HTML)',
  'Expected output to (?:not )?(?:contain|start with|match regex|equal) …',
  'Expected output … to (?:not )?equal …',
  `Custom function returned (?:true|false)(?:\\s+${NUMBER})?`,
  'Python code returned (?:true|false)',
  'Levenshtein distance # is greater than threshold #',
  'Similarity # is (?:less|greater) than(?: or equal to)? threshold #',
  'Latency #ms is greater than threshold #ms',
  'Cost # is greater than threshold #',
  'Perplexity(?: score)? # is (?:less|greater) than threshold #',
  '(?:ROUGE-[NLS]|BLEU|GLEU|METEOR) score # is (?:less|greater) than threshold #',
  '(?:Faithfulness|Relevance|Recall|Toxicity|Score|Answer relevance|Context relevance|Context recall) # is (?:<|>|<=|>=) #',
  'Tool call F1 score: #',
  'Could not parse (?:llm-rubric|grader) response',
].map((wording) => new RegExp(`^${wording.replaceAll('#', NUMBER)}\\.?$`));

/** Whether a reason, from which quoted parts have been removed, quotes nothing of an evaluation. */
export function isKnownReason(reason: string): boolean {
  return KNOWN.some((wording) => wording.test(reason));
}
