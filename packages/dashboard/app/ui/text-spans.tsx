import type { Finding } from '@probity/client';
import { numbered } from './findings.tsx';

interface Part {
  readonly text: string;
  readonly action: Finding['action'] | null;
  readonly numbers: readonly number[];
}

/**
 * A text with its findings marked. Where findings overlap the strictest is drawn and all are numbered; offsets are
 * UTF-16, as the API gives them.
 */
export function TextSpans({
  text,
  findings,
}: {
  readonly text: string;
  readonly findings: readonly Finding[];
}) {
  return (
    <p class="text-view" dir="auto">
      {partsOf(text, findings).map(({ text: part, action, numbers }, index) =>
        action === null ? (
          <span key={index}>{part}</span>
        ) : (
          <mark key={index} class={`span span--${action}`}>
            {part}
            <sup>{numbers.join(' ')}</sup>
          </mark>
        ),
      )}
    </p>
  );
}

/** Cuts a text where a finding begins or ends. */
function partsOf(text: string, findings: readonly Finding[]): readonly Part[] {
  const all = numbered(findings).filter(({ start, end }) => start < end && end <= text.length);
  const cuts = [
    ...new Set([0, text.length, ...all.flatMap(({ start, end }) => [start, end])]),
  ].sort((left, right) => left - right);
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] as number;
    const over = all.filter((each) => each.start <= start && each.end >= end);
    const ending = over.filter((each) => each.end === end);
    return {
      text: text.slice(start, end),
      action: over[0]?.action ?? null,
      numbers: ending.map(({ number }) => number),
    };
  });
}
