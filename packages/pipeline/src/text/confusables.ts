/**
 * Letters of other scripts that are drawn like Latin ones, written as pairs of look-alike and Latin
 * letter. Own selection, small on purpose: the letters of Cyrillic, Greek, Armenian and Cherokee
 * and the Latin variants that pass for ASCII in common fonts.
 */
const PAIRS =
  'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw вb нh кk мm тt гr пn иu зe ѵv ґr ӏl ьb ' +
  'АA ВB ЕE ЗE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ҮY Ԍ6 Ғf ' +
  'αa βb γy εe ηn ιi κk μu νv οo ρp σo τt υu χx ωw ϲc ϳj ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ' +
  'օo սu ոn հh ցg զq յj ıi ' +
  'ɑa ɡg ɩi ɪi ʀr ʏy ʟl ɴn ʜh ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ꜱs øo łl đd ħh ŧt ' +
  'ᎪA ᏴB ᏟC ᎠD ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏚS ᎢT ᏙV ᎳW ᏃZ';

/** Look-alike letter to the Latin letter that it passes for. */
export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  PAIRS.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);

/** Punctuation and blanks that people and programs use for the ASCII one, after NFKC. */
export const PUNCTUATION: ReadonlyMap<string, string> = new Map([
  ...[...'‐‑‒–—―−﹘⁃˗'].map((dash): [string, string] => [dash, '-']),
  ...[...'‘’‚‛ʼʹ′＇`´'].map((quote): [string, string] => [quote, quote === '`' ? '`' : "'"]),
  ...[...'“”„‟″«»'].map((quote): [string, string] => [quote, '"']),
  ...[...'\u2028\u2029\u0085'].map((line): [string, string] => [line, '\n']),
  ['\u2800', ' '],
  ['∣', '|'],
  ['∕', '/'],
  ['⁄', '/'],
  ['∶', ':'],
  ['ː', ':'],
  ['․', '.'],
  ['。', '.'],
]);
