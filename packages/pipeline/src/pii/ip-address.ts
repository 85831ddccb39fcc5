import { isIPv4, isIPv6 } from 'node:net';
import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import type { CueReader } from './cues.ts';
import { isProgression } from './number-shapes.ts';
import { SPACED_LETTERS } from './spaced-letters.ts';
import { columnHead } from './table-cells.ts';

// In these expressions what is cheap to see, what comes next, is looked at before what came before.
// A range of two addresses, `8.8.8.8-8.8.8.9`, is two of them.
const V4 = new RegExp(
  `(?=\\d{1,3}\\.)(?<![${SPACED_LETTERS}\\d.]|(?<!\\.\\d{1,3})-|\\d[_:])\\d{1,3}(?:\\.\\d{1,3}){3}` +
    `(?![${SPACED_LETTERS}\\d]|\\.\\d|-\\d+(?!\\d*\\.\\d)|\\.[${SPACED_LETTERS}])`,
  'gu',
);
const MAY_BE_NAMED = /[\p{L}/=]/u;
const V6 =
  /(?=[\da-f]{0,4}:)(?<![\p{L}\d_.]|(?<![\p{L}"]):)(?=[\da-f:]{2})[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![\p{L}\d_:]|\.\d)/giu;
/** The length of a network's prefix (CIDR): the address before it is that of no host. */
const NETWORK = /^\/\d{1,2}/;
/** Only an address has a scheme or a user before it, or a port behind it. */
const IN_URL = /(?:\/\/|@)$/;
const PORT_AFTER = /^:\d{2,5}/;
const VERSION_BEFORE =
  /(?:\b(?:v|ver(?:sion)?)[.:=]?|\brelease|\bbuild|\bfirmware|[\p{L}\d]\/|[=<>~]=|\boid|\b(?:chrom(?:e|ium)|firefox|edge|safari|opera|electron|webview|android|macos|windows|ios))\s?$/iu;
/** Words for software before its versions: `upgrade from 1.84.0.9 to 1.84.1.0`. */
const UPGRADED = /\b(?:(?:up|down)grad\w{1,3}|bump\w{0,3}|versions?|releases?|rolled back)\b/i;
const OF_HOST = /\b(?:ip|dns|address(?:es)?|hosts?|servers?|clients?|routers?|peers?|logins?)\b/i;
const VERSIONS_HEAD = /version|release|build|firmware/i;
const ASSIGNED_IP =
  /\b(?:ip|addr|host|client|server|src|dst|remote|peer)[a-z_]{0,10}"?\s?[:=]=?\s?"?$/i;

/** IP addresses of hosts: loopback, unspecified, masks and broadcast are left out. */
export function findIpAddress(text: string, cues: CueReader): Candidate[] {
  return [...findV4(text, cues), ...(text.includes(':') ? findV6(text, cues) : [])];
}

function findV4(text: string, cues: CueReader): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, V4)) {
    const value = match[0];
    if (!isIPv4(value) || /^(?:0\.|127\.|255\.255\.)/.test(value)) continue;
    const end = match.index + value.length;
    const score = rateV4(text, value, match.index, cues);
    found.push({ type: 'ip_address', start: match.index, end, score, reason: 'IPv4 address' });
  }
  return found;
}

function rateV4(text: string, value: string, start: number, cues: CueReader): number {
  const before = text.slice(Math.max(0, start - 24), start);
  if (MAY_BE_NAMED.test(before)) {
    if (ASSIGNED_IP.test(before)) return 0.98;
    if (VERSION_BEFORE.test(before) || isUpgraded(text, start)) return 0;
  }
  const head = columnHead(text, start);
  if (head !== undefined && VERSIONS_HEAD.test(text.slice(head.start, head.end))) return 0;
  const after = text.slice(start + value.length, start + value.length + 6);
  if (value.endsWith('.0') && NETWORK.test(after)) return 0.3;
  // Hosts have no such addresses as a rule, and packages such versions: `package@1.84.1.0`.
  if (value.endsWith('.0') && before.endsWith('@')) return 0.3;
  if (IN_URL.test(before) || PORT_AFTER.test(after)) return 0.95;
  if (cues.before('ip_address', start) === 'against') return 0.2;
  if (cues.around('ip_address', start, start + value.length) === 'for') return 0.98;
  const small = value.split('.').every((part) => Number(part) < 32);
  return small || isProgression(value) ? 0.3 : 0.85;
}

function isUpgraded(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return UPGRADED.test(line) && !OF_HOST.test(line);
}

function findV6(text: string, cues: CueReader): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, V6)) {
    const value = match[0];
    if (!isIPv6(value) || !/\d/.test(value) || /^[0:]*:1?$/.test(value)) continue;
    const end = match.index + value.length;
    const long = value.split(':').filter(Boolean).length > 2;
    const cue = cues.around('ip_address', match.index, end);
    // An IPv4 address inside is part of it, and must not win over it.
    const certain = value.includes('.') ? 0.99 : 0.97;
    const score = cue === 'for' || long ? certain : 0.7;
    found.push({ type: 'ip_address', start: match.index, end, score, reason: 'IPv6 address' });
  }
  return found;
}
