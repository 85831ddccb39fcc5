import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { combinedPiiRisk } from '../src/index.ts';

describe('combinedPiiRisk', () => {
  const cases: [string, [string, number][], number][] = [
    ['is 0 without findings', [], 0],
    ['is type risk times confidence', [['email', 0.8]], 0.4],
    [
      'takes the largest',
      [
        ['email', 0.8],
        ['ssn', 1],
        ['email', 1],
      ],
      1,
    ],
    [
      'adds 0.05 for each further type',
      [
        ['email', 1],
        ['phone_number', 1],
        ['ip_address', 1],
      ],
      0.6,
    ],
    [
      'does not add for the same type',
      [
        ['email', 1],
        ['email', 1],
      ],
      0.5,
    ],
    [
      'never exceeds 1',
      [
        ['ssn', 1],
        ['email', 1],
        ['passport', 1],
        ['credit_card', 1],
      ],
      1,
    ],
  ];
  for (const [name, findings, risk] of cases) {
    it(name, () => {
      const value = combinedPiiRisk(findings.map(([type, score]) => ({ type, score })));
      assert.ok(Math.abs(value - risk) < 1e-9, String(value));
    });
  }
});
