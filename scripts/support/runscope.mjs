import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

/**
 * @typedef {object} Assertion
 * @property {string} source
 * @property {string} comparison
 * @property {string} [property]
 * @property {unknown} value
 */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {number} ms
 * @property {any} json
 * @property {string} text
 */

/**
 * A value of JSON by a path such as `Resources[0].name.givenName`. As in Runscope, a name after a list is that of each
 * element.
 * @param {any} json
 * @param {string} path
 */
function at(json, path) {
  const names = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return names.reduce((value, name) => {
    const isOfElements = Array.isArray(value) && !/^\d+$/.test(name);
    return isOfElements ? value.map((element) => element?.[name]) : value?.[name];
  }, json);
}

/** @type {Record<string, (actual: any, expected: any) => boolean>} */
const COMPARISONS = {
  equal: (actual, expected) => String(actual) === String(expected),
  equal_number: (actual, expected) => Number(actual) === Number(expected),
  is_less_than: (actual, expected) => Number(actual) < Number(expected),
  is_a_number: (actual) => typeof actual === 'number',
  empty: (actual) => isEmpty(actual),
  not_empty: (actual) => !isEmpty(actual),
  // A list or a text has the value; without one, that there is any.
  has_value: (actual, expected) => (expected ? actual?.includes(expected) : !isEmpty(actual)),
  contains: (actual, expected) => actual?.includes(expected),
};

/** @param {any} value */
function isEmpty(value) {
  return value === undefined || value === null || value === '' || value.length === 0;
}

/** @param {Assertion} assertion @param {Answer} answer */
function actualOf({ source, property }, { status, ms, json, text }) {
  if (source === 'response_status') return status;
  if (source === 'response_time') return ms;
  if (source === 'response_text') return text;
  return at(json, property ?? '');
}

/** Values that Okta's tests leave to whoever runs them. @param {string} url @param {string} token */
function variablesOf(url, token) {
  const random = `user${Date.now()}`;
  return new Map([
    ['SCIMBaseURL', url],
    ['auth', `Bearer ${token}`],
    ['InvalidUserEmail', 'abc@efg.example'],
    ['UserIdThatDoesNotExist', '0000'],
    ['randomEmail', `${random}@scim.example`],
    ['randomUsername', `${random}@scim.example`],
    ['randomUsernameCaps', `${random}@scim.example`.toUpperCase()],
    ['randomGivenName', 'Given'],
    ['randomFamilyName', 'Family'],
  ]);
}

/**
 * Runs a test in Runscope's format, which is Okta's, and prints what it asserts that is not so.
 * @param {string} file
 * @param {{ url: string, token: string }} scim
 * @returns {Promise<number>} Exit code: 0 if all of it is so.
 */
export async function runScope(file, { url, token }) {
  const { name, steps } = JSON.parse(readFileSync(file, 'utf8'));
  const variables = variablesOf(url, token);
  /** @param {string} text */
  const fill = (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (all, key) => variables.get(key) ?? all);
  let asserted = 0;
  let failed = 0;
  for (const step of steps.filter((/** @type {any} */ each) => each.step_type === 'request')) {
    const answer = await request(step, fill);
    for (const { name: key, property } of step.variables) {
      variables.set(key, String(at(answer.json, property)));
    }
    const faults = faultsOf(step, answer, fill);
    asserted += step.assertions.length + step.scripts.length;
    failed += faults.length;
    process.stdout.write(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${step.note}\n`);
    for (const fault of faults) process.stdout.write(`         ${fault}\n`);
  }
  process.stdout.write(`${name}: ${asserted - failed} of ${asserted} assertions hold\n`);
  return failed === 0 ? 0 : 1;
}

/** @param {any} step @param {(text: string) => string} fill @returns {Promise<Answer>} */
async function request({ method, url, headers, body }, fill) {
  const given = Object.entries(headers).map(([key, value]) => [key, fill([value].flat().join())]);
  const start = performance.now();
  const response = await fetch(encodeURI(fill(url)), {
    method,
    headers: Object.fromEntries(given),
    // As bytes: fetch gives a text a content type, which the tests do not have everywhere.
    ...(body === undefined ? {} : { body: new TextEncoder().encode(fill(body)) }),
  });
  const text = await response.text();
  const ms = performance.now() - start;
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, ms, text, json: isJson ? JSON.parse(text) : undefined };
}

/** @param {any} step @param {Answer} answer @param {(text: string) => string} fill */
function faultsOf({ assertions, scripts }, answer, fill) {
  /** @type {string[]} */
  const faults = [];
  for (const assertion of assertions) {
    const { source, property, comparison } = assertion;
    const expected = typeof assertion.value === 'string' ? fill(assertion.value) : assertion.value;
    const actual = actualOf(assertion, answer);
    const compare = COMPARISONS[comparison];
    if (compare?.(actual, expected)) continue;
    const what = `${source} ${property ?? ''} ${comparison} ${expected ?? ''}`;
    faults.push(`${what}: ${JSON.stringify(actual)}${compare ? '' : ' (unknown comparison)'}`);
  }
  for (const script of scripts) {
    const assert = {
      /** @param {boolean} holds @param {string} message */
      ok: (holds, message) => holds || faults.push(message),
    };
    runInNewContext(script, { response: { body: answer.text }, assert, log() {} });
  }
  return faults;
}
