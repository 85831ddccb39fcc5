import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { toCard } from '../../src/chatops/card.ts';
import { SEVERITIES } from '../../src/integrations/types.ts';
import { toCardContent } from '../../src/routing/alert.ts';

// The package's ES modules do not resolve in Node; its bundle does.
const { AdaptiveCard, SerializationContext, Versions } = createRequire(import.meta.url)(
  'adaptivecards/dist/adaptivecards.min.js',
) as typeof import('adaptivecards');

/** What Microsoft's own parser objects to in a card, by the schema of version 1.4. */
function faultsOf(card: object): string[] {
  const context = new SerializationContext(Versions.v1_4);
  const parsed = new AdaptiveCard();
  parsed.parse(card, context);
  const events = Array.from({ length: context.eventCount }, (_, index) =>
    context.getEventAt(index),
  );
  const found = [...events, ...parsed.validateProperties().validationEvents];
  const { $schema: _, ...members } = card as Record<string, unknown>;
  const { $schema: __, ...kept } = parsed.toJSON(context) as Record<string, unknown>;
  // The parser drops members that the schema does not have.
  const isWhole = JSON.stringify(sorted(kept)) === JSON.stringify(sorted(members));
  return [...found.map((event) => event?.message ?? ''), ...(isWhole ? [] : ['unknown members'])];
}

/** The value with the members of its objects by name, and texts of enumerations in lower case. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value === 'string') return value.toLowerCase();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

for (const severity of SEVERITIES) {
  test(`the card of a ${severity} alert is valid by the schema of version 1.4`, () => {
    const alert = { alertId: 'alr_1', severity, type: 'pii', message: 'An *SSN* [x](y)' };
    const card = toCard(toCardContent({ ...alert, createdAt: new Date(0) }));
    assert.deepEqual(faultsOf(card), []);
    assert.equal(card.version, '1.4');
  });
}

test('the check of cards finds wrong values, unknown members and a newer element', () => {
  const card = toCard({ title: 'A', text: 'B', color: 'good', facts: [['C', 'D']] });
  const [, ...rest] = card.body as object[];
  const block = { type: 'TextBlock', text: 'x' };
  for (const wrong of [{ ...block, size: 'huge' }, { ...block, bogus: 1 }, { type: 'Table' }]) {
    assert.notDeepEqual(faultsOf({ ...card, body: [wrong, ...rest] }), []);
  }
});
