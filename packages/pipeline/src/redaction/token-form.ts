/**
 * Letters only, since digits might look like a number of something; without vowels, so that they spell
 * nothing. 4 bits each.
 */
export const ALPHABET = 'BCDFGHJKLMNPQRST';
/** Letters of a code. */
export const CODE_LENGTH = 10;
