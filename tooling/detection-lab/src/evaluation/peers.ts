import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Row, RowSpan, Task } from '../lib/rows.ts';

/** A peer's answer to a text: 1 where it finds something, with the places where it has them. */
interface PeerAnswer {
  readonly score: number;
  readonly spans?: readonly RowSpan[];
}

/** A package from the registry that does one of the tasks, as installed. */
export interface Peer {
  readonly name: string;
  readonly version: string;
  readonly task: Task;
  answer(row: Row): Promise<PeerAnswer>;
}

/** Which peers are there, and the names of those that are not installed. */
export interface Peers {
  readonly found: readonly Peer[];
  readonly absent: readonly string[];
}

type Load = (module: Record<string, unknown>) => (text: string) => Promise<PeerAnswer>;

interface PeerDefinition {
  readonly name: string;
  readonly entry: string;
  readonly task: Task;
  readonly load: Load;
}

const PEERS: readonly PeerDefinition[] = [
  { name: '@openredaction/core', entry: '@openredaction/core', task: 'pii', load: openRedaction },
  { name: '@openai/guardrails', entry: '@openai/guardrails', task: 'pii', load: guardrails },
  {
    name: 'redact-pii',
    entry: 'redact-pii/lib/built-ins/simple-regexp-patterns.js',
    task: 'pii',
    load: redactPii,
  },
  { name: 'obscenity', entry: 'obscenity', task: 'toxicity', load: obscenity },
  {
    name: '@andersmyrmel/vard',
    // It exports nothing to `require`, which resolves the others.
    entry: './node_modules/@andersmyrmel/vard/dist/index.js',
    task: 'injection',
    load: vard,
  },
  { name: 'llmverify', entry: 'llmverify', task: 'injection', load: llmverify },
];

/** How peers call the types of personal data. What is named nothing here is left out of their favor. */
const TYPE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/SSN|usSocialSecurity/, 'ssn'],
  [/CREDIT_CARD|creditCard/, 'credit_card'],
  [/PHONE|phoneNumber/, 'phone_number'],
  [/EMAIL|email/, 'email'],
  [/PASSPORT/, 'passport'],
  [/^IP_|IPV[46]|ipAddress/, 'ip_address'],
  [/IBAN|BANK|ROUTING|SORT_CODE|ACCOUNT/, 'bank_account'],
];

/**
 * Loads the peers that are installed where `from` would find them. They are compared with only, so
 * one that is missing is no error.
 */
export async function loadPeers(from: string): Promise<Peers> {
  const require = createRequire(join(from, 'peers.js'));
  const found: Peer[] = [];
  const absent: string[] = [];
  for (const definition of PEERS) {
    const path = resolve(require, definition.entry);
    if (path === undefined) absent.push(definition.name);
    else found.push(await loadPeer(definition, path));
  }
  return { found, absent };
}

function resolve(require: NodeJS.Require, entry: string): string | undefined {
  try {
    return require.resolve(entry);
  } catch {
    return undefined;
  }
}

async function loadPeer({ name, task, load }: PeerDefinition, path: string): Promise<Peer> {
  const answer = load((await import(pathToFileURL(path).href)) as Record<string, unknown>);
  return { name, task, version: versionOf(name, path), answer: ({ text }) => answer(text) };
}

function versionOf(name: string, path: string): string {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const fields = manifest as { readonly name?: string; readonly version?: string };
      if (fields.name === name) return fields.version ?? '';
    } catch {
      // No manifest here: the next folder up has one.
    }
  }
  return '';
}

function typeOf(name: string): string | undefined {
  return TYPE_NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

function toAnswer(spans: readonly RowSpan[]): PeerAnswer {
  return { score: spans.length > 0 ? 1 : 0, spans };
}

function openRedaction(module: Record<string, unknown>) {
  type Detections = {
    readonly detections: readonly { readonly type: string; readonly position: [number, number] }[];
  };
  const { OpenRedaction } = module as {
    OpenRedaction: new () => { detect(text: string): Promise<Detections> };
  };
  const detector = new OpenRedaction();
  return async (text: string) => {
    const { detections } = await detector.detect(text);
    return toAnswer(
      detections.flatMap(({ type, position: [start, end] }) => {
        const known = typeOf(type);
        return known === undefined ? [] : [{ type: known, start, end }];
      }),
    );
  };
}

function guardrails(module: Record<string, unknown>) {
  type Check = {
    readonly info: { readonly detected_entities?: Readonly<Record<string, readonly string[]>> };
  };
  const { pii, PIIEntity } = (module.default ?? module) as {
    pii: (context: null, text: string, config: object) => Promise<Check>;
    PIIEntity: Readonly<Record<string, string>>;
  };
  const entities = Object.values(PIIEntity).filter((name) => typeOf(name) !== undefined);
  return async (text: string) => {
    const { info } = await pii(null, text, { entities, block: true });
    const found = Object.entries(info.detected_entities ?? {}).flatMap(([name, values]) =>
      values.flatMap((value) => occurrences(text, value, typeOf(name) as string)),
    );
    return toAnswer(found);
  };
}

function redactPii(module: Record<string, unknown>) {
  const patterns = Object.entries(module).filter(
    (entry): entry is [string, RegExp] =>
      entry[1] instanceof RegExp && typeOf(entry[0]) !== undefined,
  );
  return async (text: string) =>
    toAnswer(
      patterns.flatMap(([name, { source, flags }]) =>
        [...text.matchAll(new RegExp(source, flags.includes('g') ? flags : `${flags}g`))].map(
          ({ index, 0: value }) => ({
            type: typeOf(name) as string,
            start: index,
            end: index + value.length,
          }),
        ),
      ),
    );
}

function obscenity(module: Record<string, unknown>) {
  const { RegExpMatcher, englishDataset, englishRecommendedTransformers } = module as {
    RegExpMatcher: new (options: object) => { hasMatch(text: string): boolean };
    englishDataset: { build(): object };
    englishRecommendedTransformers: object;
  };
  const matcher = new RegExpMatcher({
    ...englishDataset.build(),
    ...englishRecommendedTransformers,
  });
  return async (text: string) => ({ score: matcher.hasMatch(text) ? 1 : 0 });
}

function vard(module: Record<string, unknown>) {
  const { createVard } = module as {
    createVard(): { safeParse(text: string): { readonly safe: boolean } };
  };
  const parser = createVard();
  return async (text: string) => ({ score: parser.safeParse(text).safe ? 0 : 1 });
}

function llmverify(module: Record<string, unknown>) {
  const { isInputSafe } = (module.default ?? module) as {
    isInputSafe(text: string): boolean;
  };
  return async (text: string) => ({ score: isInputSafe(text) ? 0 : 1 });
}

function occurrences(text: string, value: string, type: string): RowSpan[] {
  const spans: RowSpan[] = [];
  if (value === '') return spans;
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
    spans.push({ type, start, end: start + value.length });
  }
  return spans;
}
