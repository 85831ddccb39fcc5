import type { Scores, StageResult } from '@probity/client';
import { t } from '../text/index.ts';
import { toDuration, toScore } from './format.tsx';

/** The score of each kind of fault, as a bar from 0 to 1. */
export function ScoreBars({ scores }: { readonly scores: Scores }) {
  const known = Object.entries(scores).filter(([, score]) => score !== undefined);
  return (
    <div class="scores">
      {known.map(([name, score]) => (
        <div class="score" key={name}>
          <span>{t.score[name] ?? name}</span>
          <Bar share={score ?? 0} />
          <span class="num">
            {score === null ? (
              <span class="muted">{t.scan.notCovered}</span>
            ) : (
              <span class="strong">{toScore(score ?? 0)}</span>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}

function Bar({ share }: { readonly share: number }) {
  return (
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="f-track" width="100" height="8" />
      <rect class="f-ink" width={100 * share} height="8" />
    </svg>
  );
}

/** How long each stage took, and which did not finish. */
export function StageTimes({ stages }: { readonly stages: readonly StageResult[] }) {
  const longest = Math.max(...stages.map(({ durationMs }) => durationMs), 0.001);
  return (
    <dl class="bars">
      {stages.map(({ name, status, durationMs }) => (
        <div key={name}>
          <dt>{t.stage[name] ?? name}</dt>
          <dd>
            <Bar share={durationMs / longest} />
          </dd>
          <dd class="tiny">{status === 'ok' ? toDuration(durationMs) : status}</dd>
        </div>
      ))}
    </dl>
  );
}
