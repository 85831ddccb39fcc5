// Written by test/languages/registry.test.ts with WRITE_LANGUAGES=1; never by hand.
import { language as ar } from './ar.ts';
import { language as bg } from './bg.ts';
import { language as cs } from './cs.ts';
import { language as da } from './da.ts';
import { language as de } from './de.ts';
import { language as el } from './el.ts';
import { language as en } from './en.ts';
import { language as es } from './es.ts';
import { language as fi } from './fi.ts';
import { language as fr } from './fr.ts';
import { language as he } from './he.ts';
import { language as hi } from './hi.ts';
import { language as hr } from './hr.ts';
import { language as hu } from './hu.ts';
import { language as id } from './id.ts';
import { language as it } from './it.ts';
import { language as ja } from './ja.ts';
import { language as ko } from './ko.ts';
import type { LanguageData } from './language-data.ts';
import { language as nl } from './nl.ts';
import { language as no } from './no.ts';
import { language as pl } from './pl.ts';
import { language as pt } from './pt.ts';
import { language as ro } from './ro.ts';
import { language as ru } from './ru.ts';
import { language as sk } from './sk.ts';
import { language as sv } from './sv.ts';
import { language as th } from './th.ts';
import { language as tr } from './tr.ts';
import { language as uk } from './uk.ts';
import { language as vi } from './vi.ts';
import { language as zh } from './zh.ts';

/** All languages, in the order of their tags. */
export const LANGUAGES: readonly LanguageData[] = [
  ar,
  bg,
  cs,
  da,
  de,
  el,
  en,
  es,
  fi,
  fr,
  he,
  hi,
  hr,
  hu,
  id,
  it,
  ja,
  ko,
  nl,
  no,
  pl,
  pt,
  ro,
  ru,
  sk,
  sv,
  th,
  tr,
  uk,
  vi,
  zh,
];
