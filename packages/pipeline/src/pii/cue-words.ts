import type { LanguageData, WordList } from '../languages/language-data.ts';
import { wordsIn, wordsOf } from '../languages/word-list.ts';
import type { NationalIdType } from './national/national-types.ts';
import type { PiiType } from './pii-types.ts';

/** The lists of words beside those of the types of personal data. */
export type CueList = 'accountWords' | 'numberedWords' | 'referenceWords' | 'harmlessWords';

/** Names and abbreviations that all languages write alike, in the form of `PiiWords`. */
const SHARED_WORDS: Readonly<Partial<Record<CueList, WordList>>> = {
  accountWords: 'iban*, aba, rtn, clabe*',
  numberedWords: `
    isbn*, issn, ean, upc, gtin, sku*, s/n, oid*, uuid*, guid, hash*, sha*, md5, imei, iccid,
    imsi, doi, pmid, rfc, iso, dni, nif, nie, curp, cpf, cnpj, nino, ein, itin, siren, siret,
    abn, aadhaar, npi, mrn, pesel, bsn`,
  harmlessWords: 'id, ids, unix, epoch, lat, lon, gps',
};

/** The words of a list in some languages, with those that all languages share. */
export function listedWords(list: CueList, languages: readonly LanguageData[]): string[] {
  return [...wordsOf(SHARED_WORDS[list] ?? ''), ...wordsIn(languages, ({ pii }) => pii?.[list])];
}

/** The words that name a type: its own, which all languages share, and those of some languages. */
export function cueWords(
  { type, cues = '' }: { readonly type: PiiType | NationalIdType; readonly cues?: WordList },
  languages: readonly LanguageData[],
): string[] {
  return [...wordsOf(cues), ...wordsIn(languages, ({ pii }) => pii?.cues?.[type])];
}
