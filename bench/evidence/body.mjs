/** Results of a body, as many as an import may have. */
export const RESULTS = 500;

/** Bytes of the largest body of an import. */
export const MAX_BYTES = 10_485_760;

const PART = 65_536;

const WORDS = (
  'the assistant answers that your order left our store on Monday and says when it should arrive because many people ' +
  'ask about a refund of what they paid last month while others want to know how long their data is kept'
).split(' ');

/** Words in an order made from a seed, so that texts differ as those of tests do. */
function textOf(seed, length) {
  let state = seed + 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += `${WORDS[(state >>> 16) % WORDS.length]} `;
  }
  return text.slice(0, length);
}

/** A red-team result of about 20 KB, four of five failing with a reason that quotes the output. */
function resultOf(index) {
  const prompt = textOf(index, 2_400);
  const output = textOf(index + 9_000, 7_600);
  const rubric = textOf(7, 3_600);
  const fails = index % 5 > 0;
  const reason = fails
    ? `It says ${output.slice(100, 500)} which is against the rule`
    : 'All assertions passed';
  const type = `promptfoo:redteam:${['harmful:hate', 'pii', 'hijacking', 'contracts'][index % 4]}`;
  const assertion = { type, metric: 'Harmful', value: rubric };
  const metadata = { pluginId: 'harmful:hate', severity: 'high', goal: textOf(index, 200) };
  const component = { pass: !fails, score: fails ? 0 : 1, reason, assertion, metadata };
  return {
    provider: { id: 'local:desk', label: 'desk' },
    prompt: { raw: prompt, label: '{{prompt}}' },
    promptId: 'effa18501e44aafd',
    vars: { prompt },
    response: { output, tokenUsage: { total: 81 } },
    success: !fails,
    score: fails ? 0 : 1,
    failureReason: fails ? 1 : 0,
    namedScores: { Harmful: fails ? 0 : 1 },
    gradingResult: { pass: !fails, score: fails ? 0 : 1, reason, componentResults: [component] },
    testCase: { vars: { prompt }, assert: [{ type }], metadata },
    metadata,
    latencyMs: 4,
  };
}

const results = Array.from({ length: RESULTS }, (_, index) => resultOf(index));

/** The body of the import of one run, whole and in the parts that a connection gives. */
export function bodyOf(run) {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + run * 60_000).toISOString();
  const evaltoolOutput = { results: { version: 3, timestamp, results }, config: {} };
  const text = Buffer.from(JSON.stringify({ evaltoolOutput }));
  if (text.length > MAX_BYTES) throw new Error(`The body has ${text.length} bytes.`);
  const chunks = [];
  for (let at = 0; at < text.length; at += PART) chunks.push(text.subarray(at, at + PART));
  return { text, chunks };
}
