/** Shortest piece that is looked for, where a word has as many letters in a row. */
const LEAST = 3;
/** Signs behind Latin Extended-A, which need not be distinguished. */
const OTHER_SIGNS = '[\\u0180-\\uffff]';
const MARKS = /\p{M}/gu;

/**
 * An expression that every text with one of the words matches: pieces of which each word has one, as few
 * as a greedy choice finds and as long as their words share, in either case and with any diacritics of
 * Latin letters. A text without them need not be searched for the words.
 *
 * @param words in Latin script without diacritics; of those in other scripts any sign behind Latin counts
 */
export function sharedPieces(words: readonly string[]): RegExp {
  const pieces: string[] = [];
  let rest = words.filter((word) => /^[a-z]/.test(word)).map(runsOf);
  while (rest.length > 0) {
    const best = mostShared(rest);
    const having = rest.filter((runs) => hasPiece(runs, best));
    pieces.push(extended(best, having));
    rest = rest.filter((runs) => !hasPiece(runs, best));
  }
  return new RegExp([...pieces.map(inAnyForm), OTHER_SIGNS].join('|'));
}

/** The runs of letters of a word that are long enough, or its first one. */
function runsOf(word: string): readonly string[] {
  const runs = word.match(/[a-z]+/g) ?? [];
  const long = runs.filter((run) => run.length >= LEAST);
  return long.length > 0 ? long : runs.slice(0, 1);
}

function hasPiece(runs: readonly string[], piece: string): boolean {
  return runs.some((run) => run.includes(piece));
}

/** The piece that most words have. */
function mostShared(words: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const runs of words) {
    for (const piece of new Set(runs.flatMap((run) => piecesOf(run, LEAST)))) {
      counts.set(piece, (counts.get(piece) ?? 0) + 1);
    }
  }
  return [...counts].reduce((best, other) => (other[1] > best[1] ? other : best))[0];
}

/** The parts of a run that have a length, or the whole of a shorter one. */
function piecesOf(run: string, length: number): string[] {
  if (run.length <= length) return [run];
  return Array.from({ length: run.length - length + 1 }, (_, at) => run.slice(at, at + length));
}

/** The longest piece around another that all words with that one have. */
function extended(piece: string, words: readonly (readonly string[])[]): string {
  const [first] = words;
  const run = first?.find((own) => own.includes(piece)) ?? piece;
  for (let length = run.length; length > piece.length; length--) {
    const longer = piecesOf(run, length).find(
      (own) => own.includes(piece) && words.every((runs) => hasPiece(runs, own)),
    );
    if (longer !== undefined) return longer;
  }
  return piece;
}

/** Letters up to the end of Latin Extended-A by what they are without case and diacritics. */
const FORMS = new Map<string, string>();
for (let code = 0x41; code < 0x180; code++) {
  const sign = String.fromCharCode(code);
  const bare = sign.normalize('NFD').replace(MARKS, '').toLowerCase();
  if (/^[a-z]$/.test(bare)) FORMS.set(bare, (FORMS.get(bare) ?? '') + sign);
}

function inAnyForm(piece: string): string {
  return [...piece].map((letter) => `[${FORMS.get(letter) ?? letter}]`).join('');
}
