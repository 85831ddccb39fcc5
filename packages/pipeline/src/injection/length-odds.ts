/** Up to so many characters a text is judged as it is. */
const SHORT = 4_096;
/** No text loses more, so that a plain attack is found however long the text around it is. */
const MOST = 2;
/** What requests by their place lose of that: enough is little, as their scores lie close together. */
const PLACE_SHARE = 0.3;
const MOST_OF_PLACE = 0.2;
/** Signs of rules for prompts are rarer by chance than windows that read like an attack. */
const RULE_SHARE = 0.5;

/** What a text loses of its log-odds for its length, by what makes an attack likely. */
export interface LengthOdds {
  /** Of windows that the model alone sees, and of rules for code. */
  readonly windows: number;
  /** Of rules for prompts. */
  readonly rules: number;
  /** Of requests that are out of place. */
  readonly places: number;
}

/** What a short text loses. */
export const NO_LENGTH_ODDS: LengthOdds = { windows: 0, rules: 0, places: 0 };

/**
 * What a text of so many UTF-16 units loses of its log-odds: a text is judged by the highest score of
 * its windows, rules and lines, and of many the highest is higher by chance.
 */
export function lengthOdds(length: number): LengthOdds {
  if (length <= SHORT) return NO_LENGTH_ODDS;
  const windows = Math.min(MOST, Math.log(length / SHORT));
  return {
    windows,
    rules: RULE_SHARE * windows,
    places: Math.min(MOST_OF_PLACE, PLACE_SHARE * windows),
  };
}
