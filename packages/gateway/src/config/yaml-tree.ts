import type { CST, Document, Node, Pair } from 'yaml';
import { Composer, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, Parser } from 'yaml';
import type { Issue, KeyPath, Place } from './issues.ts';
import { errorAt, START, toPathText } from './issues.ts';
import { schemaAt } from './json-schema.ts';
import type { Environment } from './substitution.ts';
import { substitute, toKeyType } from './substitution.ts';

/** The values of a file, and where they stand. */
export interface YamlTree {
  /** Undefined where the file has no usable structure. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[];
  /** The path in the file: another one where the values are a part of those of the file. */
  pathOf(path: KeyPath): KeyPath;
  /** Where the value of a path stands; the nearest section around it where it has none. */
  placeOf(path: KeyPath): Place;
  /** Where the key of a path stands. */
  keyPlaceOf(path: KeyPath): Place;
  /** Whether the file has the key. */
  has(path: KeyPath): boolean;
  /** The variables in the value of a path. */
  variablesAt(path: KeyPath): readonly string[];
}

/**
 * The tree as the paths of a part of the file see it.
 *
 * @param placeOf where a value of the part stands in the file
 */
export function treeOfPart(tree: YamlTree, placeOf: (path: KeyPath) => KeyPath): YamlTree {
  return {
    ...tree,
    pathOf: (path) => tree.pathOf(placeOf(path)),
    placeOf: (path) => tree.placeOf(placeOf(path)),
    keyPlaceOf: (path) => tree.keyPlaceOf(placeOf(path)),
    has: (path) => tree.has(placeOf(path)),
    variablesAt: (path) => tree.variablesAt(placeOf(path)),
  };
}

/** More levels than any configuration has. */
const MAX_DEPTH = 32;

/**
 * Parses a file without what makes YAML dangerous or ambiguous: no aliases, anchors, tags, merge keys,
 * directives, repeated keys or further documents, and 32 levels at most.
 */
export function parseYamlTree(text: string, env: Environment): YamlTree {
  const reader = new TreeReader(env);
  const document = reader.compose(text);
  const value = document && reader.rootOf(document);
  return { value, ...reader.view() };
}

class TreeReader {
  readonly #lines = new LineCounter();
  readonly #issues: Issue[] = [];
  readonly #values = new Map<string, Place>();
  readonly #keys = new Map<string, Place>();
  readonly #variables = new Map<string, readonly string[]>();
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  view(): Omit<YamlTree, 'value'> {
    const nearest = (path: KeyPath): Place => {
      for (let length = path.length; length > 0; length--) {
        const name = toPathText(path.slice(0, length));
        const [key, value] = [this.#keys.get(name), this.#values.get(name)];
        const place = length === path.length ? value : (key ?? value);
        if (place !== undefined) return place;
      }
      return START;
    };
    return {
      issues: this.#issues,
      pathOf: (path) => path,
      placeOf: nearest,
      keyPlaceOf: (path) => this.#keys.get(toPathText(path)) ?? nearest(path),
      has: (path) => this.#values.has(toPathText(path)),
      variablesAt: (path) => this.#variables.get(toPathText(path)) ?? [],
    };
  }

  compose(text: string): Document | undefined {
    const tokens = [...new Parser(this.#lines.addNewLine).parse(text)];
    if (this.#refuseTokens(tokens)) return undefined;
    const composer = new Composer({
      lineCounter: this.#lines,
      merge: false,
      schema: 'core',
      uniqueKeys: false,
      version: '1.2',
    });
    const documents = [...composer.compose(tokens, true, text.length)];
    for (const { pos, message } of documents.flatMap(({ errors }) => errors)) {
      this.#fail(this.#placeAt(pos[0]), [], message);
    }
    const [first, second] = documents;
    if (second) this.#fail(this.#placeAt(second.range[0]), [], 'a second document is not allowed');
    return this.#issues.length > 0 ? undefined : first;
  }

  rootOf({ contents }: Document): Readonly<Record<string, unknown>> | undefined {
    if (contents === null || (isScalar(contents) && contents.value === null)) return {};
    if (isMap(contents)) return this.#convert(contents, []) as Record<string, unknown>;
    this.#fail(this.#place(contents as Node), [], 'expected keys such as server: and scanning:');
    return undefined;
  }

  /** Depth and directives are looked at before anything that recurses. */
  #refuseTokens(tokens: readonly CST.Token[]): boolean {
    const open = tokens.map((token) => ({ token, depth: 0 }));
    for (let next = open.pop(); next; next = open.pop()) {
      const { token, depth } = next;
      if (token.type === 'directive') {
        this.#fail(this.#placeAt(token.offset), [], 'directives are not allowed');
        return true;
      }
      if (depth > MAX_DEPTH) {
        const message = `values are nested in more than ${MAX_DEPTH} levels`;
        this.#fail(this.#placeAt(token.offset), [], message);
        return true;
      }
      for (const inner of innerTokens(token)) open.push({ token: inner, depth: depth + 1 });
    }
    return false;
  }

  #convert(node: unknown, path: KeyPath): unknown {
    if (isAlias(node)) {
      return this.#fail(this.#place(node), path, 'aliases are not allowed; repeat the value');
    }
    const given = node as (Node & { anchor?: string; tag?: string }) | null;
    if (given?.anchor) this.#fail(this.#place(given), path, 'anchors are not allowed');
    if (given?.tag) this.#fail(this.#place(given), path, `the tag ${given.tag} is not allowed`);
    if (isMap(node)) return this.#convertMap(node.items, path);
    if (isSeq(node)) return node.items.map((item, at) => this.#convertValue(item, [...path, at]));
    return isScalar(node) ? this.#scalar(node.value, path, this.#place(node)) : undefined;
  }

  #convertMap(items: readonly Pair[], path: KeyPath): Readonly<Record<string, unknown>> {
    // Without a prototype: `__proto__` is a key like any other.
    const map: Record<string, unknown> = Object.create(null);
    for (const { key, value } of items) {
      const name = this.#nameOf(key, path);
      if (name === undefined) continue;
      const at = [...path, name];
      if (this.#keys.has(toPathText(at))) {
        this.#fail(this.#place(key as Node), at, 'the key is there twice');
        continue;
      }
      this.#keys.set(toPathText(at), this.#place(key as Node));
      const converted = this.#convertValue(value, at);
      if (converted !== undefined) map[name] = converted;
    }
    return map;
  }

  #nameOf(key: unknown, path: KeyPath): string | undefined {
    const place = this.#place(key as Node);
    if (!isScalar(key) || key.value === null || typeof key.value === 'object') {
      this.#fail(place, path, 'expected a name as the key');
      return undefined;
    }
    const { anchor, tag } = key as { anchor?: string; tag?: string };
    if (anchor || tag) this.#fail(place, path, 'anchors and tags are not allowed');
    if (key.value !== '<<') return key.source ?? String(key.value);
    this.#fail(place, path, 'merge keys (<<) are not allowed; repeat the values');
    return undefined;
  }

  #convertValue(node: unknown, path: KeyPath): unknown {
    const value = isPair(node) ? undefined : this.#convert(node, path);
    const isEmpty = node === null || (isScalar(node) && node.value === null);
    const place = node === null ? this.view().keyPlaceOf(path) : this.#place(node as Node);
    const type = schemaAt(path)?.type;
    // An empty section means its defaults.
    if (isEmpty && (type === 'object' || type === 'array')) return undefined;
    this.#values.set(toPathText(path), place);
    return isEmpty ? null : value;
  }

  #scalar(value: unknown, path: KeyPath, place: Place): unknown {
    if (typeof value !== 'string') return value;
    if (value.includes('\0')) return this.#fail(place, path, 'U+0000 is not allowed');
    const substituted = substitute(value, this.#env);
    if ('fault' in substituted) return this.#fail(place, path, substituted.fault);
    const { names, isWhole } = substituted;
    if (names.length === 0) return value;
    this.#variables.set(toPathText(path), names);
    return isWhole ? toKeyType(substituted.value, schemaAt(path)?.type) : substituted.value;
  }

  #place(node: Node | null | undefined): Place {
    return this.#placeAt(node?.range?.[0] ?? 0);
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  #fail(place: Place, path: KeyPath, message: string): undefined {
    this.#issues.push(errorAt(place, path, message));
    return undefined;
  }
}

function innerTokens(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return (token.items as CST.CollectionItem[]).flatMap(({ key, value }) =>
    [key, value].filter((each) => each !== null && each !== undefined),
  );
}
