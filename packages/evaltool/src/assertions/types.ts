/** Prefix of the assertions that red-team plugins make. */
const RED_TEAM_PREFIX = 'promptfoo:redteam:';

/** The red-team families that map to obligations (specification, "Mapping of findings to evidence"). */
const MAPPED_FAMILY = /^(?:(?:harmful|pii)(?::|$)|hijacking$|overreliance$)/;

/**
 * The form of names that the tool makes: words of lower-case letters and at most three digits. What has another form may
 * be text or a number that says something.
 */
const NAME_FORM = /^[a-z][a-z0-9]*(?:[-_:.][a-z0-9]+)*$/;
const MAX_NAME = 64;
const MANY_DIGITS = /\d{4}|(?:\d+[-_:.]){3}/;

/** Whether the text has the form of a name of an assertion, plugin or strategy. */
export function isToolName(text: string): boolean {
  return text.length <= MAX_NAME && NAME_FORM.test(text) && !MANY_DIGITS.test(text);
}

/** Types of ordinary assertions, of version 0.43.1 to 0.123.1 of the tool, which map to no obligation. */
const ORDINARY: ReadonlySet<string> = new Set(
  `agent-rubric answer-relevance assert-set bleu classifier contains contains-all contains-any contains-html
  contains-json contains-sql contains-xml context-faithfulness context-recall context-relevance conversation-relevance
  cost equals factuality finish-reason g-eval gleu guardrails html human icontains icontains-all icontains-any
  is-html is-json is-refusal is-sql is-valid-function-call is-valid-openai-function-call
  is-valid-openai-tools-call is-xml javascript latency levenshtein llm-rubric max-score meteor
  model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi python regex
  rouge-l rouge-n rouge-s ruby search-rubric select-best similar similar:cosine similar:dot similar:euclidean
  skill-used starts-with tool-call-f1 trace-error-spans trace-span-count trace-span-duration
  trajectory:goal-success trajectory:step-count trajectory:tool-args-match trajectory:tool-sequence
  trajectory:tool-used webhook word-count`.split(/\s+/),
);

/** Whether the text has the form of an assertion type. */
export function isAssertionType(text: unknown): text is string {
  return typeof text === 'string' && isToolName(toPlainType(text));
}

/** Without the prefix of red-team assertions. */
export function toPlainType(type: string): string {
  return type.startsWith(RED_TEAM_PREFIX) ? type.slice(RED_TEAM_PREFIX.length) : type;
}

/** Whether a failure of the assertion is a finding of a red team. */
export function isRedTeam(type: string): boolean {
  return type.startsWith(RED_TEAM_PREFIX) || MAPPED_FAMILY.test(type);
}

/** Whether a failure of the assertion is evidence for obligations on security. */
export function isSecurityType(type: string): boolean {
  return MAPPED_FAMILY.test(toPlainType(type));
}

/** Whether the assertion is none that the mapping or the tool's list of ordinary assertions has. */
export function isUnknownType(type: string): boolean {
  return !isSecurityType(type) && !ORDINARY.has(type.replace(/^not-/, ''));
}
