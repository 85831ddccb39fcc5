import type { Scored } from '../lib/metrics.ts';
import { expectedCalibrationError, reliabilityBins } from '../lib/metrics.ts';

const SIDE = 320;
const MARGIN = 48;
const HISTOGRAM = 60;

/**
 * A reliability diagram as SVG: how often a score was right, in tenths of the score, beside the line
 * on which it would be right as often as it says; below, how many rows each tenth has.
 */
export function reliabilityDiagram(title: string, scored: readonly Scored[]): string {
  const bins = reliabilityBins(scored).filter(({ count }) => count > 0);
  const most = Math.max(...bins.map(({ count }) => count));
  const points = bins.map(({ meanScore, positiveShare, count }) => {
    const label = `score ${meanScore.toFixed(2)}, right ${positiveShare.toFixed(2)}, ${count} rows`;
    return `<circle cx="${x(meanScore)}" cy="${y(positiveShare)}" r="4"><title>${label}</title></circle>`;
  });
  const bars = bins.map(({ from, to, count }) => {
    const height = Math.max(1, (Math.log1p(count) / Math.log1p(most)) * HISTOGRAM);
    const top = MARGIN + SIDE + 40 + HISTOGRAM - height;
    return `<rect x="${x(from)}" y="${top.toFixed(1)}" width="${((to - from) * SIDE - 2).toFixed(1)}" height="${height.toFixed(1)}"/>`;
  });
  const path = bins.map(({ meanScore, positiveShare }) => `${x(meanScore)},${y(positiveShare)}`);
  const error = expectedCalibrationError(scored).toFixed(3);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE + 2 * MARGIN} ${SIDE + 2 * MARGIN + HISTOGRAM + 30}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="white"/>',
    `<text x="${MARGIN}" y="20" font-size="14">${escapeXml(title)}</text>`,
    `<text x="${MARGIN}" y="38">${scored.length} rows, expected calibration error ${error}</text>`,
    ...axes(),
    `<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="gray" stroke-dasharray="4"/>`,
    `<polyline points="${path.join(' ')}" fill="none" stroke="#1a5fb4"/>`,
    `<g fill="#1a5fb4">${points.join('')}</g>`,
    `<g fill="#99c1f1">${bars.join('')}</g>`,
    '</svg>',
  ].join('\n')}\n`;
}

function axes(): string[] {
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    `<text x="${x(value)}" y="${MARGIN + SIDE + 16}" text-anchor="middle">${value}</text>`,
    `<text x="${MARGIN - 6}" y="${Number(y(value)) + 4}" text-anchor="end">${value}</text>`,
  ]);
  return [
    `<rect x="${MARGIN}" y="${MARGIN}" width="${SIDE}" height="${SIDE}" fill="none" stroke="black"/>`,
    ...ticks,
    `<text x="${MARGIN + SIDE / 2}" y="${MARGIN + SIDE + 32}" text-anchor="middle">score; below: rows, logarithmic</text>`,
    `<text x="14" y="${MARGIN + SIDE / 2}" text-anchor="middle" transform="rotate(-90 14 ${MARGIN + SIDE / 2})">share of positives</text>`,
  ];
}

function x(value: number): string {
  return (MARGIN + value * SIDE).toFixed(1);
}

function y(value: number): string {
  return (MARGIN + (1 - value) * SIDE).toFixed(1);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
