import type { Finding } from '@probity/client';
import { t } from '../text/index.ts';
import { toNumber, toScore } from './format.tsx';
import { Action } from './verdict.tsx';

const ORDER = ['block', 'redact', 'flag', 'allow'];

/** Findings, the strictest first, each with its number. */
export function numbered(
  findings: readonly Finding[],
): readonly (Finding & { readonly number: number })[] {
  return [...findings]
    .sort(
      (left, right) =>
        ORDER.indexOf(left.action) - ORDER.indexOf(right.action) || right.score - left.score,
    )
    .map((finding, index) => ({ ...finding, number: index + 1 }));
}

/** A table of findings; the text itself is in the playground alone. */
export function FindingsTable({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <div class="table-box">
      <table class="table table--stack" role="table">
        <caption class="sr">{t.scan.findings}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {t.scan.type}
            </th>
            <th scope="col" role="columnheader">
              {t.scan.stage}
            </th>
            <th scope="col" role="columnheader">
              {t.scan.place}
            </th>
            <th scope="col" role="columnheader" class="num">
              {t.scan.score}
            </th>
            <th scope="col" role="columnheader" class="fit">
              {t.scan.action}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {numbered(findings).map(({ number, type, stage, score, field, start, end, action }) => (
            <tr role="row" key={number}>
              <th scope="row" role="rowheader" class="lead">
                <span class="finding-no">{number}</span> <code>{type}</code>
              </th>
              <td role="cell" data-label={t.scan.stage}>
                {t.stage[stage] ?? stage}
              </td>
              <td role="cell" data-label={t.scan.place}>
                {t.field[field]}, {toNumber(start)}–{toNumber(end)}
              </td>
              <td role="cell" class="num" data-label={t.scan.score}>
                {toScore(score)}
              </td>
              <td role="cell" class="fit" data-label={t.scan.action}>
                <Action action={action} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
