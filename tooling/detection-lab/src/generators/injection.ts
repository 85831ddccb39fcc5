import type { Random } from '@probity/test-support/random';
import { createRandom } from '@probity/test-support/random';
import type { Slots } from './expand.ts';
import { expand, expandMany } from './expand.ts';
import {
  ATTACKS as attacks,
  BENIGN as benign,
  CARRIERS as carriers,
  CODE as code,
  EVASIONS as evasions,
  HARMLESS as harmless,
  LANGUAGES as languages,
  ORDERS as orders,
  STEERING as steering,
} from './injection-templates.ts';
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
  const overrides = expandMany(attacks.overrides, 1600, attacks.slots, random);
  const leaks = expandMany(attacks.leaks, 1100, attacks.slots, random);
  const steered = expandMany(steering.steering, 2000, steering.slots, random);
  const tasks = expandMany(steering.tasks, 900, steering.slots, random);
  const foreign = expandMany(languages.attacks, 900, languages.slots, random);
  const foreignBenign = expandMany(languages.harmless, 160, languages.slots, random);
  const lookAlikes = expandMany(benign.lookAlikes, 3600, benign.slots, random);
  const jailbreaks = Array.from({ length: 1100 }, () => makeJailbreak(random));
  const operators = Array.from({ length: 900 }, () => makeOperatorPrompt(random));
  const hostile = [...overrides, ...leaks, ...steered, ...steered, ...foreign];
  const innocuous = [...lookAlikes, ...operators];
  return [
    ...overrides.map(as('made_override', 1, PROMPT)),
    ...leaks.map(as('made_leak', 1, PROMPT)),
    ...steered.map(as('made_steering', 1, PROMPT)),
    ...foreign.map(as('made_foreign', 1, PROMPT)),
    ...jailbreaks.map(as('made_jailbreak', 1, PROMPT)),
    ...embed(hostile, 1500, random).map(as('made_attacked_document', 1, PROMPT)),
    ...append(innocuous, [...overrides, ...leaks], 400, random).map(
      as('made_follow_up', 1, PROMPT),
    ),
    ...tasks.map(as('made_task', 0)),
    ...foreignBenign.map(as('made_foreign_benign', 0)),
    ...lookAlikes.map(as('made_look_alike', 0)),
    ...operators.map(as('made_operator', 0)),
    ...append(innocuous, [...lookAlikes, ...tasks], 300, random).map(as('made_long_benign', 0)),
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
    const parts = random.shuffle(benign.constraints).slice(0, 1 + random.below(3));
    const said = parts.map((part) => expand(part, benign.slots, random)).join(' ');
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
  const harmlessTexts = (templates: readonly string[], count: number) =>
    expandMany(templates, count, harmless.slots, random);
  return [
    ...make(orders.orderThemes, 300, orders.slots, (theme) => as(`made_order_${theme}`, 1, PROMPT)),
    ...make(orders.taskThemes, 200, orders.slots, (theme) => as(`made_task_${theme}`, 0)),
    ...make(evasions.themes, 400, evasions.slots, (theme) => as(`made_wile_${theme}`, 1, PROMPT)),
    ...make(
      evasions.foreignThemes,
      120,
      { ...evasions.slots, ...languages.slots, ...steering.slots },
      (theme) => as(`made_foreign_wile_${theme}`, 1, PROMPT),
    ),
    ...harmlessTexts(harmless.documents, 900).map(as('made_calm_document', 0)),
    ...harmlessTexts(harmless.prompts, 900).map(as('made_calm_prompt', 0)),
    ...expandMany(harmless.code, 700, { ...orders.slots, ...harmless.slots }, random).map(
      as('made_calm_code', 0),
    ),
  ];
}

function makeCode(random: Random): MadeRow[] {
  const make = (templates: readonly string[], count: number) =>
    expandMany(templates, count, code.slots, random);
  return [
    ...make(code.sql, 2200).map(as('made_sql', 1, 'sql_injection')),
    ...make(code.command, 1200).map(as('made_command', 1, 'command_injection')),
    ...make(code.xpath, 900).map(as('made_xpath', 1, 'xpath_injection')),
    ...make(code.harmless, 2400).map(as('made_code_benign', 0)),
  ];
}

function makeJailbreak(random: Random): string {
  const slots = attacks.slots;
  const parts = [random.pick(attacks.jailbreakOpeners)];
  const count = 1 + random.below(7);
  parts.push(...random.shuffle(attacks.jailbreakBody).slice(0, count));
  parts.push(random.pick(attacks.jailbreakEndings));
  const glue = random.next() < 0.2 ? '\n\n' : ' ';
  return parts
    .map((part) => expand(part, slots, random))
    .join(glue)
    .trim();
}

function makeOperatorPrompt(random: Random): string {
  const parts = [random.pick(benign.operatorOpeners)];
  parts.push(...random.shuffle(benign.operatorRules).slice(0, 1 + random.below(6)));
  const glue = random.next() < 0.3 ? '\n- ' : ' ';
  return parts.map((part) => expand(part, benign.slots, random)).join(glue);
}

function documentWith(here: string, random: Random): string {
  const slots: Slots = { ...carriers.slots, here: [here] };
  // The sentence goes in last, or its own brackets would be taken for choices.
  const carrier = expand(random.pick(carriers.carriers), { ...slots, here: ['\u0000'] }, random);
  return carrier.replace('\u0000', () => here);
}

function embed(hostile: readonly string[], count: number, random: Random): string[] {
  return Array.from({ length: count }, () => documentWith(random.pick(hostile), random));
}

function makeDocuments(count: number, random: Random): string[] {
  return Array.from({ length: count }, () => {
    const prose = random.next() < 0.5 ? '' : expand('{prose2}', carriers.slots, random);
    return documentWith(prose, random);
  });
}

/** Requests that bring the document they are about. */
function makeRequests(count: number, random: Random): string[] {
  return makeDocuments(count, random).map((doc) => {
    const request = expand(random.pick(benign.withText), { doc: ['\u0000'] }, random);
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
