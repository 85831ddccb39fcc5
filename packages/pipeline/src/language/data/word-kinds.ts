/** Words that deny, in themselves or by what they say; forms in n't are found by rule. */
export const NEGATIONS = `not no never none nobody nothing nowhere neither nor cannot without hardly scarcely
barely unable incapable impossible illegal untrue false incorrect`;

/** Verbs that deny by what they say, base forms. */
export const NEGATIVE_VERBS = 'prohibit forbid ban fail refuse deny lack prevent';

/** Words that say how much of something is meant, or how often. */
export const QUANTIFIERS = `all every each any some few many most several both half none always
sometimes often rarely seldom never usually only least more less fewer majority everyone nobody
nothing everything entire whole`;

/** Words that say how sure or how binding something is. */
export const MODALS = `may might could can must shall should will would ought cannot possibly probably
perhaps maybe likely allegedly reportedly apparently`;

/** Number words with their values. */
export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  dozen: 12,
  twice: 2,
  double: 2,
  triple: 3,
  once: 1,
};

/** Names of months and days, with their usual short forms. */
export const CALENDAR = `january february march april may june july august september october november
december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday
saturday sunday mon tue wed thu fri sat sun`;

/** Units of measure and money, base forms. */
export const UNITS = `second minute hour day week month year decade century inch foot feet yard mile
meter metre kilometer kilometre centimeter centimetre millimeter ounce pound gram kilogram ton tonne
liter litre gallon pint cup dollar euro cent penny yen rupee percent degree celsius fahrenheit byte
kilobyte megabyte gigabyte terabyte kb mb gb tb ms km cm mm kg mg lb oz acre hectare watt volt hertz mph
kph million billion thousand hundred trillion times`;

/** Words that say yes, at the head of an answer. */
export const AFFIRMATIONS = 'yes yeah yep correct right true indeed certainly sure affirmative';

/** Words that say no, at the head of an answer. */
export const REFUSALS = 'no nope incorrect wrong false untrue';

/** Short forms whose full stop ends no sentence. */
export const ABBREVIATIONS = `mr mrs ms dr prof sr jr st vs etc inc ltd co corp dept fig no vol gen col
lt sgt rep sen gov rev hon capt maj al approx est e.g i.e u.s u.k`;

/** Words that tell who says something rather than what is said, at the head of a sentence. */
export const FRAMES = `according text document say says said source note notes stated states state short
sum summary found passage article context report answer based information provided mention mentions
mentioned overall conclusion basically essentially result far goes yes no correct right indeed sure here
is what i`;
