import type { Random } from '@probity/test-support/random';
import { createRandom } from '@probity/test-support/random';
import type { Slots } from './expand.ts';
import { expand, expandMany } from './expand.ts';
import * as attacks from './injection-attacks.ts';
import * as benign from './injection-benign.ts';
import { CALM_CODE, CALM_DOCUMENTS, CALM_PROMPTS, CALM_SLOTS } from './injection-calm.ts';
import { CARRIER_SLOTS, CARRIERS } from './injection-carriers.ts';
import * as code from './injection-code.ts';
import { FOREIGN_ATTACKS, FOREIGN_BENIGN, LANGUAGE_SLOTS } from './injection-languages.ts';
import { ORDER_SLOTS, ORDER_THEMES, TASK_THEMES } from './injection-orders.ts';
import { STEERING, STEERING_SLOTS, TASKS } from './injection-steering.ts';
import { FOREIGN_WILES, WILE_SLOTS, WILE_THEMES } from './injection-wiles.ts';
import { makeListings } from './listings.ts';

/** A row made by a generator of this folder. */
export interface MadeRow {
  readonly text: string;
  readonly label: 0 | 1;
  readonly types: readonly string[];
  readonly source: string;
}

type Make = (text: string) => MadeRow;

const as =
  (source: string, label: 0 | 1, ...types: string[]): Make =>
  (text) => ({ text, label, types, source });

const PROMPT = 'prompt_injection';

/** Attacks of all four types and harmless texts near them; the same seed gives the same rows. */
export function generateInjectionRows(seed: number): MadeRow[] {
  const random = createRandom(seed);
  const overrides = expandMany(attacks.OVERRIDES, 1600, attacks.ATTACK_SLOTS, random);
  const leaks = expandMany(attacks.LEAKS, 1100, attacks.ATTACK_SLOTS, random);
  const steering = expandMany(STEERING, 2000, STEERING_SLOTS, random);
  const tasks = expandMany(TASKS, 900, STEERING_SLOTS, random);
  const foreign = expandMany(FOREIGN_ATTACKS, 900, LANGUAGE_SLOTS, random);
  const foreignBenign = expandMany(FOREIGN_BENIGN, 160, LANGUAGE_SLOTS, random);
  const lookAlikes = expandMany(benign.LOOK_ALIKES, 3600, benign.BENIGN_SLOTS, random);
  const jailbreaks = Array.from({ length: 1100 }, () => makeJailbreak(random));
  const operators = Array.from({ length: 900 }, () => makeOperatorPrompt(random));
  const hostile = [...overrides, ...leaks, ...steering, ...steering, ...foreign];
  const harmless = [...lookAlikes, ...operators];
  return [
    ...overrides.map(as('made_override', 1, PROMPT)),
    ...leaks.map(as('made_leak', 1, PROMPT)),
    ...steering.map(as('made_steering', 1, PROMPT)),
    ...foreign.map(as('made_foreign', 1, PROMPT)),
    ...jailbreaks.map(as('made_jailbreak', 1, PROMPT)),
    ...embed(hostile, 1500, random).map(as('made_attacked_document', 1, PROMPT)),
    ...append(harmless, [...overrides, ...leaks], 400, random).map(as('made_follow_up', 1, PROMPT)),
    ...tasks.map(as('made_task', 0)),
    ...foreignBenign.map(as('made_foreign_benign', 0)),
    ...lookAlikes.map(as('made_look_alike', 0)),
    ...operators.map(as('made_operator', 0)),
    ...append(harmless, [...lookAlikes, ...tasks], 300, random).map(as('made_long_benign', 0)),
    ...makeDocuments(1200, random).map(as('made_document', 0)),
    ...makeRequests(700, random).map(as('made_request', 0)),
    ...makeConstrained(tasks, 700, random).map(as('made_constrained', 0)),
    ...makeListings(500, random).map(as('made_listing', 0)),
    ...makeCode(random),
    ...makeThemes(random),
  ];
}

/** A task with conditions, and now and then a condition alone, as a second message has it. */
function makeConstrained(tasks: readonly string[], count: number, random: Random): string[] {
  return Array.from({ length: count }, () => {
    const parts = random.shuffle(benign.CONSTRAINTS).slice(0, 1 + random.below(3));
    const said = parts.map((part) => expand(part, benign.BENIGN_SLOTS, random)).join(' ');
    return random.next() < 0.15 ? said : `${random.pick(tasks)} ${said}`;
  });
}

/** Texts by theme; the number of the theme ends the source's name, so that it can be held out. */
function makeThemes(random: Random): MadeRow[] {
  const make = (
    themes: readonly (readonly string[])[],
    count: number,
    slots: Slots,
    to: (theme: number) => Make,
  ) => themes.flatMap((list, theme) => expandMany(list, count, slots, random).map(to(theme)));
  const calm = (templates: readonly string[], count: number) =>
    expandMany(templates, count, CALM_SLOTS, random);
  return [
    ...make(ORDER_THEMES, 300, ORDER_SLOTS, (theme) => as(`made_order_${theme}`, 1, PROMPT)),
    ...make(TASK_THEMES, 200, ORDER_SLOTS, (theme) => as(`made_task_${theme}`, 0)),
    ...make(WILE_THEMES, 400, WILE_SLOTS, (theme) => as(`made_wile_${theme}`, 1, PROMPT)),
    ...make(FOREIGN_WILES, 120, { ...WILE_SLOTS, ...LANGUAGE_SLOTS, ...STEERING_SLOTS }, (theme) =>
      as(`made_foreign_wile_${theme}`, 1, PROMPT),
    ),
    ...calm(CALM_DOCUMENTS, 900).map(as('made_calm_document', 0)),
    ...calm(CALM_PROMPTS, 900).map(as('made_calm_prompt', 0)),
    ...expandMany(CALM_CODE, 700, { ...ORDER_SLOTS, ...CALM_SLOTS }, random).map(
      as('made_calm_code', 0),
    ),
  ];
}

function makeCode(random: Random): MadeRow[] {
  const make = (templates: readonly string[], count: number) =>
    expandMany(templates, count, code.CODE_SLOTS, random);
  return [
    ...make(code.SQL_ATTACKS, 2200).map(as('made_sql', 1, 'sql_injection')),
    ...make(code.COMMAND_ATTACKS, 1200).map(as('made_command', 1, 'command_injection')),
    ...make(code.XPATH_ATTACKS, 900).map(as('made_xpath', 1, 'xpath_injection')),
    ...make(code.CODE_BENIGN, 2400).map(as('made_code_benign', 0)),
  ];
}

function makeJailbreak(random: Random): string {
  const slots = attacks.ATTACK_SLOTS;
  const parts = [random.pick(attacks.JAILBREAK_OPENERS)];
  const count = 1 + random.below(7);
  parts.push(...random.shuffle(attacks.JAILBREAK_BODY).slice(0, count));
  parts.push(random.pick(attacks.JAILBREAK_ENDINGS));
  const glue = random.next() < 0.2 ? '\n\n' : ' ';
  return parts
    .map((part) => expand(part, slots, random))
    .join(glue)
    .trim();
}

function makeOperatorPrompt(random: Random): string {
  const parts = [random.pick(benign.OPERATOR_OPENERS)];
  parts.push(...random.shuffle(benign.OPERATOR_RULES).slice(0, 1 + random.below(6)));
  const glue = random.next() < 0.3 ? '\n- ' : ' ';
  return parts.map((part) => expand(part, benign.BENIGN_SLOTS, random)).join(glue);
}

function documentWith(here: string, random: Random): string {
  const slots: Slots = { ...CARRIER_SLOTS, here: [here] };
  // The sentence goes in last, or its own brackets would be taken for choices.
  const carrier = expand(random.pick(CARRIERS), { ...slots, here: ['\u0000'] }, random);
  return carrier.replace('\u0000', () => here);
}

function embed(hostile: readonly string[], count: number, random: Random): string[] {
  return Array.from({ length: count }, () => documentWith(random.pick(hostile), random));
}

function makeDocuments(count: number, random: Random): string[] {
  return Array.from({ length: count }, () => {
    const prose = random.next() < 0.5 ? '' : expand('{prose2}', CARRIER_SLOTS, random);
    return documentWith(prose, random);
  });
}

/** Requests that bring the document they are about. */
function makeRequests(count: number, random: Random): string[] {
  return makeDocuments(count, random).map((doc) => {
    const request = expand(random.pick(benign.WITH_TEXT), { doc: ['\u0000'] }, random);
    return request.replace('\u0000', () => doc);
  });
}

function append(
  first: readonly string[],
  second: readonly string[],
  count: number,
  random: Random,
): string[] {
  return Array.from({ length: count }, () => {
    const glue = random.pick([' ', '\n', '\n\n']);
    return `${random.pick(first)}${glue}${random.pick(second)}`;
  });
}
