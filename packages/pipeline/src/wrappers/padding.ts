import type { Members } from './endpoint.ts';

/** Letters and digits by chance, as providers send them. */
const CHANCE = /^[A-Za-z0-9]{0,64}$/;
/** Digits that may be a number of something; by chance so many in a row are one in ten million. */
const DIGITS = /\d{9}/;
const REACH = 20;

/**
 * Makes a function that empties the padding of events (`obfuscation`) from the first one that says something, alone or
 * together with the events before.
 */
export function createPaddingCheck(): (event: Members) => Members {
  let tail = '';
  let isForeign = false;
  return (event) => {
    const { obfuscation: padding } = event;
    if (padding === undefined || padding === null || padding === '') return event;
    const isChance = typeof padding === 'string' && CHANCE.test(padding);
    const joined = tail + String(padding);
    tail = joined.slice(-REACH);
    isForeign ||= !isChance || DIGITS.test(joined);
    return isForeign ? { ...event, obfuscation: '' } : event;
  };
}
