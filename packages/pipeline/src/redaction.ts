import type { Finding, ScanInput, TextRange } from './types.ts';

interface Mark extends TextRange {
  readonly type: string;
  readonly score: number;
}

/**
 * Puts placeholders such as `[CREDIT_CARD_1]` in place of the findings of prompt and response. The
 * same value gets the same placeholder in both texts; overlapping findings become one, named after
 * the one with the highest score.
 */
export function redactInput(
  input: ScanInput,
  findings: readonly Finding[],
): { readonly prompt: string | null; readonly response: string } {
  const label = createLabels();
  const ofField = (field: 'prompt' | 'response') => findings.filter((f) => f.field === field);
  const prompt =
    input.prompt === undefined ? null : redactText(input.prompt, ofField('prompt'), label);
  return { prompt, response: redactText(input.response, ofField('response'), label) };
}

type Label = (type: string, value: string) => string;

function redactText(text: string, marks: readonly Mark[], label: Label): string {
  let output = '';
  let copied = 0;
  for (const mark of mergeOverlaps(marks)) {
    output += text.slice(copied, mark.start) + label(mark.type, text.slice(mark.start, mark.end));
    copied = mark.end;
  }
  return output + text.slice(copied);
}

function mergeOverlaps(marks: readonly Mark[]): Mark[] {
  const merged: Mark[] = [];
  for (const mark of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || mark.start >= last.end) {
      merged.push(mark);
      continue;
    }
    const named = mark.score > last.score ? mark : last;
    const end = Math.max(last.end, mark.end);
    merged[merged.length - 1] = { type: named.type, score: named.score, start: last.start, end };
  }
  return merged;
}

// Two spellings of one number, with and without separators, are one value.
function createLabels(): Label {
  const labels = new Map<string, string>();
  const counts = new Map<string, number>();
  return (type, value) => {
    const plain = value
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}@.:]/gu, '');
    const key = `${type} ${plain}`;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    const made = `[${type.toUpperCase()}_${count}]`;
    labels.set(key, made);
    return made;
  };
}
