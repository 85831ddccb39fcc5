import { apiCompare } from 'api-smart-diff';

/**
 * @typedef {Record<string, any>} Json
 * @typedef {{ path: Array<string | number>, action: string, type: string, before?: unknown, after?: unknown }} Difference
 */

/** Members that change nothing for a program. */
const ANNOTATIONS = [
  'description',
  'summary',
  'example',
  'examples',
  'title',
  'tags',
  'info',
  'servers',
];

/**
 * The document with what programs depend on: without texts for people, to be stored and compared.
 * @param {Json} document OpenAPI 3.1.
 * @returns {Json}
 */
export function toBaseline(document) {
  const { info, ...rest } = document;
  return { ...withoutAnnotations(rest), info: { title: info.title, version: info.version } };
}

/** @param {any} value @param {boolean} [isNamed] Whether the keys of the value are names of the API. @returns {any} */
function withoutAnnotations(value, isNamed = false) {
  if (Array.isArray(value)) return value.map((each) => withoutAnnotations(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNamed || !ANNOTATIONS.includes(key))
      .map(([key, member]) => [key, withoutAnnotations(member, key === 'properties')]),
  );
}

/**
 * What breaks programs that were made for `before` (specification, "Versioning", rule 3): an operation, a
 * response's member or type, or the authentication that changes or goes, and what a request must have in addition.
 * Operations that were deprecated may go after their sunset.
 * @param {Json} before
 * @param {Json} after
 * @param {Date} now
 * @returns {string[]} One line for each change.
 */
export function breakingChanges(before, after, now) {
  const { diffs } = apiCompare(toComparable(before), toComparable(after));
  return diffs
    .filter((/** @type {Difference} */ each) => isBreaking(each) && !isSunset(each, before, now))
    .map(({ action, path, before: was, after: is }) => {
      const values =
        action === 'replace' ? `: ${JSON.stringify(was)} became ${JSON.stringify(is)}` : '';
      return `${action} ${path.join(' / ')}${values}`;
    });
}

/**
 * The library knows paths alone: what is sent to webhooks is compared as the responses of paths.
 * @param {Json} document @returns {Json}
 */
function toComparable(document) {
  const { webhooks = {}, paths, ...rest } = toBaseline(document);
  const sent = Object.entries(webhooks).map(([name, { post }]) => [
    `/(webhook) ${name}`,
    { get: { responses: { 200: { description: '', content: post.requestBody.content } } } },
  ]);
  return { ...rest, paths: { ...paths, ...Object.fromEntries(sent) } };
}

/** @param {Difference} difference */
function isBreaking({ path, action, type }) {
  // Components are compared where they are used.
  if (path[0] !== 'paths') return false;
  const isSent = path.includes('responses');
  // New values of lists that responses draw from are additions, as new members are.
  if (isSent && action === 'add') return false;
  // The library takes any other type of a response's member for an extension.
  if (isSent && action === 'replace' && ['type', 'format', 'const'].includes(String(path.at(-1))))
    return true;
  return type === 'breaking';
}

/** @param {Difference} difference @param {Json} before @param {Date} now */
function isSunset({ path, action }, before, now) {
  const [section, url = '', method = ''] = path.map(String);
  if (section !== 'paths' || action !== 'remove' || path.length > 3) return false;
  const item = before.paths[url] ?? {};
  const operations = path.length === 3 ? [item[method]] : Object.values(item);
  return operations.every(
    (each) => each?.deprecated === true && new Date(each['x-sunset']).getTime() <= now.getTime(),
  );
}
