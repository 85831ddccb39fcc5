import autocannon from 'autocannon';

export const CONNECTIONS = 16;

/** Before these, V8 is still compiling, and its threads' time would count; more for servers with more code. */
const WARM_UP_REQUESTS = 4_000;

/**
 * Loads one server for some seconds over kept-alive connections; answers the CPU time of its
 * process per request that was answered as it should be.
 */
export async function measure(subject, seconds) {
  return load(subject, { duration: seconds });
}

async function load({ server, request }, extent) {
  const { path = '/', method = 'GET', headers = {}, nextPath, nextBody } = request;
  const next = (each) => ({
    ...each,
    ...(nextPath ? { path: nextPath() } : {}),
    ...(nextBody ? { body: nextBody() } : {}),
  });
  const dynamic = nextPath || nextBody ? { setupRequest: next } : {};
  const before = await server.cpuUs();
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    ...extent,
    requests: [{ method, path, headers, ...dynamic }],
  });
  const after = await server.cpuUs();
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${server.url}${path}: ${result.non2xx} answers were not 2xx`);
  }
  return {
    cpuUs: (after - before) / result['2xx'],
    perSecond: result['2xx'] / result.duration,
    p99Ms: result.latency.p99,
  };
}

/**
 * Measures all subjects in turns, so that what else the machine does meets them alike; answers the
 * rounds of each, in the order of the subjects.
 */
export async function measureInTurns(subjects, { rounds, seconds, warmUp = WARM_UP_REQUESTS }) {
  for (const subject of subjects) await load(subject, { amount: warmUp });
  const results = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      results[index].push(await measure(subject, seconds));
    }
  }
  return results;
}

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The medians over rounds. */
export function summarize(rounds) {
  const of = (name) => median(rounds.map((round) => round[name]));
  return { cpuUs: of('cpuUs'), perSecond: of('perSecond'), p99Ms: of('p99Ms') };
}
