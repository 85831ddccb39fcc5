export type { DecodedText, PreparedText, TextBlock } from './prepared-text.ts';
export { prepareText } from './prepared-text.ts';
export type { TextView } from './text-view.ts';
