import type { DataFile } from '../lib/data-file.ts';
import { readDataFile } from '../lib/data-file.ts';

/** Reads the word lists and the named lists of templates of `data/injection/NAME.json`. */
function templates<Name extends string>(name: string, ...names: readonly Name[]) {
  const file = readDataFile(`injection/${name}`);
  return { slots: file.lists('slots'), ...listsOf(file, names) };
}

function listsOf<Name extends string>(file: DataFile, names: readonly Name[]) {
  const lists = names.map((name) => [name, file.list(name)] as const);
  return Object.fromEntries(lists) as Record<Name, readonly string[]>;
}

/** Attacks that name instructions: overrides, leaks of the prompt, jailbreaks. */
export const ATTACKS = templates(
  'attacks',
  'overrides',
  'leaks',
  'jailbreakOpeners',
  'jailbreakBody',
  'jailbreakEndings',
);

/** Harmless texts near attacks, conditions on answers, prompts of operators. */
export const BENIGN = templates(
  'benign',
  'lookAlikes',
  'constraints',
  'operatorOpeners',
  'operatorRules',
  'withText',
);

/** Documents with a place for a sentence, `{here}`. */
export const CARRIERS = templates('carriers', 'carriers');

/** Injected SQL, shell and XPath, and harmless code. */
export const CODE = templates('code', 'sql', 'command', 'xpath', 'harmless');

/** What documents ask their human reader to do of their own accord. */
export const DOCUMENT_INSTRUCTIONS = templates('document-instructions', 'instructions');

/** Attacks that do without the word instructions; by theme, so that one can be held out. */
export const EVASIONS = withThemes('evasions', 'themes', 'foreignThemes');

/** Documents, code and prompts without any attack. */
export const HARMLESS = templates('harmless', 'documents', 'code', 'prompts');

/** Attacks and harmless texts in other languages than English. */
export const LANGUAGES = templates('languages', 'attacks', 'harmless');

/** Orders about an answer or data, and bare tasks, by theme. */
export const ORDERS = withThemes('orders', 'orderThemes', 'taskThemes');

/** Longer documents with a place for a sentence, `{here}`. */
export const PAPERS = templates('papers', 'papers');

/** Orders to say or do something else, and tasks. */
export const STEERING = templates('steering', 'steering', 'tasks');

/** Requests about a document, and how a sentence is set off in one. */
export const EMBEDDED = listsOf(readDataFile('injection/embedded'), [
  'aboutText',
  'aboutWords',
  'frames',
]);

function withThemes<Name extends string>(name: string, ...names: readonly Name[]) {
  const file = readDataFile(`injection/${name}`);
  const themes = names.map((each) => [each, file.groups(each)] as const);
  return {
    slots: file.lists('slots'),
    ...(Object.fromEntries(themes) as Record<Name, readonly (readonly string[])[]>),
  };
}
