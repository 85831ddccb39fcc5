const forgetters: (() => void)[] = [];
/** A match with nothing in it, in place of the last one that the engine keeps, with its text, for `RegExp.$1`. */
const EMPTY = /^/;

/**
 * Registers a function that drops what a module holds of scanned texts for the stages of one scan. It is called
 * after every scan, also while another one is under way: what it drops must be made again where it is needed.
 */
export function afterEveryScan(forget: () => void): void {
  forgetters.push(forget);
}

/** Drops all that modules hold of scanned texts; hashes of words and places may stay. */
export function forgetScannedTexts(): void {
  for (const forget of forgetters) forget();
  EMPTY.test('');
}
