import type { WordClass } from './word-class.ts';

/** A class of words that must stand within so many words of the anchor, on either side. */
interface Neighbour {
  readonly word: WordClass;
  readonly within: number;
}

/** A phrase: a word of the anchor's class with others near it, in any order, inside one sentence. */
export interface PhraseRule {
  readonly rule: string;
  readonly weight: number;
  readonly anchor: WordClass;
  readonly near: readonly Neighbour[];
}

function phrase(
  rule: string,
  weight: number,
  anchor: WordClass,
  ...near: [WordClass, number][]
): PhraseRule {
  return { rule, weight, anchor, near: near.map(([word, within]) => ({ word, within })) };
}

/** Orders about the answer: usual in a prompt, out of place in a retrieved passage. */
export const STEERING_RULE = 'order to steer the answer';

/** Rules that see instructions being set aside. */
export const OVERRIDE_RULES: ReadonlySet<string> = new Set([
  'override of instructions',
  'override in other scripts',
  'instructions declared void',
  'obedience refused',
]);

/** Rules that see an exfiltration: of the prompt, a secret, the user's data. */
export const EXFILTRATION_RULES: ReadonlySet<string> = new Set([
  'request for the system prompt',
  'request for hidden text',
  'request for the instructions given',
  'words above to be repeated',
  'what was told before',
  'data to be sent out',
  'image or link that carries data out',
]);

/** Phrases of prompt injection, their weights in log-odds. */
export const PHRASE_RULES: readonly PhraseRule[] = [
  phrase('override of instructions', 4, 'override', ['rules', 6], ['prior', 6]),
  phrase('override of instructions', 2.8, 'override', ['rules', 5], ['all', 4]),
  phrase('override of instructions', 3.6, 'override', ['rules', 4], ['your', 3]),
  phrase('override of instructions', 3.2, 'rules', ['your', 1], ['override', 7]),
  phrase('override of instructions', 1.3, 'override', ['rules', 4]),
  phrase('override of instructions', 2.8, 'override', ['all', 2], ['prior', 4]),
  phrase('request for the system prompt', 3.4, 'reveal', ['system', 5], ['rules', 6], ['your', 6]),
  phrase('request for hidden text', 2.4, 'reveal', ['secret', 5], ['rules', 6]),
  phrase('request for hidden text', 3.2, 'reveal', ['secret', 4], ['rules', 5], ['your', 3]),
  phrase('request for instructions', 1.2, 'reveal', ['rules', 5], ['your', 4]),
  phrase(
    'request for the instructions given',
    2.6,
    'reveal',
    ['rules', 5],
    ['your', 3],
    ['prior', 5],
  ),
  // Licences and contracts say "without limitation": only an assistant is freed from limits.
  phrase('freedom from limits', 1.6, 'without', ['limits', 4], ['assistant', 8]),
  phrase('freedom from limits', 1.6, 'without', ['limits', 4], ['answer', 6]),
  phrase('freedom from limits', 1.6, 'without', ['limits', 4], ['persona', 6]),
  phrase('freedom from limits', 1.6, 'without', ['limits', 4], ['illicit', 8]),
  phrase('unrestricted persona', 2.2, 'persona', ['unbound', 8]),
  phrase('assistant without limits', 1.6, 'assistant', ['without', 6], ['limits', 6]),
  phrase('unbound assistant', 1.6, 'unbound', ['assistant', 6]),
  phrase('refusal forbidden', 1.4, 'never', ['answer', 5], ['illicit', 12]),
  phrase('compliance demanded', 1.3, 'comply', ['regardless', 8]),
  phrase('illicit content regardless', 1.4, 'illicit', ['regardless', 12]),
  phrase('new task in place of the old', 1.2, 'task', ['override', 8], ['rules', 8]),
  phrase(STEERING_RULE, 1.7, 'change', ['answer', 5], ['your', 4]),
  phrase('code to be slipped in', 2.4, 'change', ['code', 6], ['your', 8]),
  phrase('data to be sent out', 1.2, 'send', ['request', 6], ['secret', 8]),
  phrase('message to assistants in a document', 1.1, 'assistant', ['rules', 5], ['override', 8]),
  phrase('character kept up', 0.9, 'character', ['regardless', 12]),
  phrase('fiction as a cover', 1, 'hypothetical', ['illicit', 15]),
];
