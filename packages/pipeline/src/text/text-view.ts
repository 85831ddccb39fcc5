import type { TextRange } from '../types.ts';
import type { ChangeList } from './changes.ts';
import { CHANGE, createChangeList } from './changes.ts';

/**
 * A rewritten form of a text that remembers where each part came from. `range` turns a half-open
 * range of this view into the range of the original that produced it.
 */
export interface TextView {
  readonly text: string;
  /** What makes an offset one of the original where both run side by side; undefined where not. */
  readonly shift: number | undefined;
  /**
   * The parts whose length changed from the view that this one was made of, ascending, four numbers each: start
   * and length here, start and length there. Undefined where all stands unit for unit.
   */
  readonly edits: Uint32Array | undefined;
  range(start: number, end: number): TextRange;
}

/** The original itself, or a slice of it that begins at `offset` of the original field. */
export function identityView(text: string, offset = 0): TextView {
  return {
    text,
    shift: offset,
    edits: undefined,
    range: (start, end) => ({ start: start + offset, end: end + offset }),
  };
}

/** A view whose characters stand one for one for those of `parent`. */
export function alignedView(text: string, parent: TextView): TextView {
  if (text === parent.text) return parent;
  return { text, shift: parent.shift, edits: undefined, range: parent.range };
}

/** A view that came from one undivided piece of the original, such as a decoded base64 run. */
export function opaqueView(text: string, source: TextRange): TextView {
  return { text, shift: undefined, edits: undefined, range: () => source };
}

/** Builds a view by replacing parts of `parent` from left to right. */
export interface ViewBuilder {
  /** Puts `replacement` where parent[start, end) was. Calls come in ascending order. */
  replace(start: number, end: number, replacement: string): void;
  finish(): TextView;
}

/**
 * Only replacements that change the length are recorded (four integers each), so text that is
 * merely lower-cased or unified character by character costs no map at all.
 *
 * @param all is given every replacement, whatever its length
 */
export function createViewBuilder(parent: TextView, all?: ChangeList): ViewBuilder {
  const source = parent.text;
  let output = '';
  let copied = 0;
  let edits: ChangeList | undefined;

  return {
    replace(start, end, replacement) {
      output += source.slice(copied, start);
      if (replacement.length !== end - start) {
        edits ??= createChangeList();
        edits.push(output.length, replacement.length, start, end - start);
      }
      all?.push(output.length, replacement.length, start, end - start);
      output += replacement;
      copied = end;
    },
    finish() {
      if (copied === 0 && output === '') return parent;
      const text = output + source.slice(copied);
      if (edits === undefined) return alignedView(text, parent);
      return mappedView(text, parent, edits.finish());
    },
  };
}

function mappedView(text: string, parent: TextView, records: Uint32Array): TextView {
  return {
    text,
    shift: undefined,
    edits: records,
    range(start, end) {
      const from = toParent(records, start, false);
      const to = end > start ? toParent(records, end - 1, true) : from;
      return parent.range(from, to);
    },
  };
}

/** The parent's offset where the unit at `position` begins, or where it ends. */
function toParent(records: Uint32Array, position: number, wantEnd: boolean): number {
  const index = lastRecordAt(records, position);
  const unit = wantEnd ? 1 : 0;
  if (index < 0) return position + unit;
  const viewStart = records[index] as number;
  const viewLength = records[index + 1] as number;
  const start = records[index + 2] as number;
  const length = records[index + 3] as number;
  if (position < viewStart + viewLength) return wantEnd ? start + length : start;
  return position - (viewStart + viewLength) + start + length + unit;
}

function lastRecordAt(records: Uint32Array, position: number): number {
  let low = 0;
  let high = records.length / CHANGE;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle * CHANGE] as number) <= position) low = middle + 1;
    else high = middle;
  }
  return (low - 1) * CHANGE;
}
