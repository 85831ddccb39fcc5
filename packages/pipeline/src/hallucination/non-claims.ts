import type { TextRange } from '../types.ts';

/** What a sentence is that says nothing which a source could bear out. */
export type NonClaimKind =
  | 'marker'
  | 'heading'
  | 'question'
  | 'greeting'
  | 'thanks'
  | 'agreement'
  | 'wish'
  | 'apology'
  | 'offer'
  | 'announcement'
  | 'reservation'
  | 'documents'
  | 'first person';

/** A form of sentence: the expression sees it in lower case, without markup and the sign at its end. */
interface NonClaimForm {
  readonly kind: NonClaimKind;
  readonly pattern: RegExp;
  /** Whether it may hold digits; what tells a figure is a claim otherwise. */
  readonly digits?: true;
}

const DOCUMENT =
  '(?:provided |given |available |above |attached )?(?:contexts?|texts?|documents?|documentation|articles?|pages?|sources?|passages?|manual|handbook|policy|recipe|report|study|information|excerpt|guide|e-?mail|message|faq|contract|website|transcript|material)';
const HELP =
  '(?:help|assist|explain|show|suggest|recommend|walk|guide|give|send|look|check|draft|write|provide|go|add|tell|find|connect|forward|answer|expand|elaborate|compare|summari[sz]e|translate|share|continue)';

/** Forms of sentences that are no claims. Expressions are linear: every quantifier is bounded or simple. */
const NON_CLAIM_FORMS: readonly NonClaimForm[] = [
  {
    kind: 'greeting',
    pattern:
      /^(?:hi|hello|hey|welcome|dear|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|bonjour|bonsoir|salut|hola|buen(?:os|as) (?:d[ií]as|tardes|noches)|ciao|buongiorno)(?: (?:there|again|back|everyone|all|team|to you|sir|madam|or|mr|ms|mrs|[a-z]{2,16})){0,4}$/,
  },
  {
    kind: 'thanks',
    pattern:
      /^(?:many thanks|thanks|thank you|danke|vielen dank|merci|gracias|muchas gracias|grazie)(?: (?:a lot|so much|very much|again|for|you|your|the|this|asking|letting|me|us|know|patience|understanding|question|message|waiting|trying|contacting|reaching|out|beaucoup|sch[oö]n)){0,9}$/,
  },
  {
    kind: 'thanks',
    pattern:
      /^(?:you(?:'re| are) (?:very |most |always )?welcome|my pleasure|no (?:problem|worries)(?: at all)?|(?:don't|do not) mention it|any ?time|glad (?:to help|i could help|that helped|to hear (?:it|that))|gern(?:e|e geschehen| geschehen)?|bitte(?: sch[oö]n| sehr)?|de rien|avec plaisir|je vous en prie|de nada|con gusto|prego)$/,
  },
  {
    kind: 'agreement',
    pattern:
      /^(?:sure(?: thing)?|of course|certainly|absolutely|definitely|gladly|great(?: question| choice| idea)?|good (?:question|choice|idea|point)|excellent(?: question| choice)?|ok(?:ay)?|all ?right|exactly|right|perfect|sounds good|got it|understood|i see|i understand|interesting|congratulations|wow|nice|wonderful|fantastic|awesome|well|happy to help|nat[uü]rlich|gerne|klar|bien s[uû]r|claro|por supuesto)$/,
  },
  {
    kind: 'wish',
    pattern:
      /^(?:(?:have|wishing you|i wish you|enjoy) (?:a |an |the |your |it|yourself|lots of ){0,2}(?:[a-z]{2,14} ?){0,4}|enjoy|good luck(?: [a-z]{2,14}){0,5}|get well(?: soon)?|all the best(?: [a-z]{2,14}){0,4}|(?:best|kind|warm) (?:wishes|regards)|yours (?:sincerely|truly|faithfully)|sincerely|take care|stay safe|see you(?: [a-z]{2,10}){0,2}|good ?bye|bye|cheers|happy [a-z]{3,12}ing|safe travels?|bon (?:voyage|app[eé]tit)|viel (?:erfolg|spa(?:ß|ss)|gl[uü]ck)|(?:viele|herzliche|freundliche|mit freundlichen) gr[uü](?:ß|ss)en?|bonne journ[eé]e|cordialement|que tengas? (?:un )?buen d[ií]a|saludos)$/,
  },
  {
    kind: 'apology',
    pattern:
      /^(?:i(?:'m| am) (?:so |very |really |truly |terribly )?sorry|my apologies|(?:i|we) (?:sincerely )?apologi[sz]e|sorry|please accept my apologies|es tut mir leid|d[eé]sol[eé]e?|lo siento)(?: to hear(?: (?:that|this|it|about [a-z ]{1,40}))?| about (?:that|this|it|the [a-z ]{1,30})| for (?:the|any|that|this|your)(?: [a-z]{2,14}){0,5}| that i [a-z' ]{1,60}| that you (?:had|have|feel|are) [a-z' ]{1,60})?$/,
  },
  {
    kind: 'offer',
    pattern:
      /^(?:(?:and|but|so|then),? )?(?:i|we)(?:'d| would|'ll| will|'m| am|'re| are) (?:also |always |of course ){0,2}(?:be )?(?:very |more than |always )?(?:happy|glad|delighted|pleased|here|available) (?:to|for)\b(?: (?!that )[a-z']{1,14}){1,12}$/,
  },
  {
    kind: 'offer',
    pattern: new RegExp(
      `^(?:(?:and|but|so|then|meanwhile),? )?i(?:'d| would|'ll| will| can| could) (?:also |gladly |of course |love to |like to |certainly ){0,2}${HELP}(?: (?!that )[a-z']{1,14}){0,12}$`,
    ),
  },
  {
    kind: 'offer',
    pattern:
      /^(?:(?:please|just|simply|and|so|but|if (?:you|there|anything|something|that|this)[^.;:]{1,70},) ?){0,3}(?:let me know|let us know|tell me|feel free|ask me|do not hesitate|don't hesitate|ask away|reach out|get in touch|(?:ask|contact|consult|check with) (?:your|the|a|our) [a-z ]{1,30} if you(?:'re| are) (?:unsure|not sure|in doubt))(?:[^.;:]{0,90})$/,
  },
  {
    kind: 'offer',
    pattern:
      /^if you (?:have|need|want|like|wish|prefer|tell me|would like|'d like|are unsure|let me know|give me|send me|share)[^.;:]{0,70}(?:,| then) (?:i|we|just|please|let|feel|i'll|i'd|i'm) ?[^.;:]{0,70}$/,
  },
  {
    kind: 'offer',
    pattern:
      /^(?:(?:i |we )?hope (?:this|that|it|these|you)|this should|that should|hopefully(?:,)? (?:this|that)) (?:helps?|answers?|clarif(?:y|ies)|makes? (?:it|things)|is (?:useful|helpful|clear)|find)[^.;:]{0,60}$/,
  },
  {
    kind: 'announcement',
    pattern:
      /^(?:(?:sure|of course|certainly|okay|great|yes|absolutely)[,!:]? ){0,1}(?:here(?:'s| is| are) (?:(?! that )[^.;:,]){1,80}|here you (?:go|are)|below (?:is|are|you)\b[^.;:,]{0,80}|(?:the )?following (?:is|are|list|table|steps|points)\b[^.;:,]{0,80}|in (?:short|summary|brief|a nutshell|other words)|to (?:sum up|summari[sz]e|recap)|summary|see below|for (?:example|instance)|step by step|let(?:'s| us| me) (?:see|look|start|go|break|summari[sz]e|explain|take|check)\b[^.;:,]{0,80}|(?:this|it|that) (?:is|was) (?:a|the) (?:short |brief |quick )?(?:summary|list|overview|comparison|answer|table)(?: (?:of|for) [^.;:,]{1,60})?)$/,
  },
  {
    kind: 'reservation',
    pattern:
      /^(?:(?:well|so|but|honestly),? )?(?:(?:it|that|this|the answer|which (?:one|is better)) (?:really |all |always |largely |mostly )?(?:depends|varies|is up to you|is a matter of (?:taste|opinion)|is hard to say)|there(?:'s| is) no (?:single|one|simple|easy|right|clear) (?:right )?(?:answer|way|solution))\b[^.;]{0,90}$/,
  },
  {
    kind: 'documents',
    digits: true,
    pattern: new RegExp(
      `^(?:(?:unfortunately|sorry|however|but|note that|as far as i can (?:see|tell)|i'm (?:sorry|afraid)),? (?:but |that )?){0,2}(?:the|this|that|these|those|your|our) ${DOCUMENT}(?: (?:that |which )?(?:you|i|we) (?:gave|give|provided|sent|shared|have|were given)(?: me| us)?)? (?:(?:does|do|did) ?(?:not|n't)|doesn't|don't|didn't|never|only) (?:explicitly |actually |directly |really |seem to )?(?:say|says|mention|mentions|specify|state|states|contain|include|provide|give|cover|tell|list|name|indicate|describe|address|explain|discuss|reveal|go into|make clear)\\b(?:(?!, but|, however)[^.;]){0,130}$`,
    ),
  },
  {
    kind: 'documents',
    digits: true,
    pattern: new RegExp(
      `^(?:(?:unfortunately|sorry|however|but),? )?(?:(?:the|this|your) ${DOCUMENT} (?:says?|contains?|has|have|gives?|mentions?|tells?|provides?|includes?) (?:us )?(?:nothing|no (?:information|mention|details?|word|answer|data))|(?:there(?:'s| is| are)|i (?:see|found|find|have)|we have) (?:no|nothing|not any) ?(?:information|mention|details?|indication|word|answer)?|nothing (?:is said|in the ${DOCUMENT}))\\b(?: (?:about|of|on|in|that|regarding|as to|whether|which|who|how|when)\\b(?:(?!, but|, however)[^.;]){0,130})$`,
    ),
  },
  {
    kind: 'documents',
    digits: true,
    pattern:
      /^(?:(?:unfortunately|sorry|however|but|so|i'm (?:sorry|afraid)),? (?:but |that )?){0,2}(?:i|we) (?:could ?n[o']t|cannot|can ?n?[o']t|can't|was(?:n't| not) able to|were(?:n't| not) able to|am (?:not able|unable) to|'m (?:not able|unable) to|do(?:n't| not)|did(?:n't| not)) (?:currently |actually |really )?(?:find|see|have|know|tell|say|determine|answer|locate|access|provide|give|confirm|help)\b(?:(?!, but|, however)[^.;]){0,130}$/,
  },
  {
    kind: 'documents',
    digits: true,
    pattern: new RegExp(
      `^(?:unfortunately,? )?(?:this|that|it) (?:is ?(?:not|n't)|isn't|was ?(?:not|n't)) (?:mentioned|stated|specified|described|covered|discussed|addressed)(?: (?:anywhere|explicitly|at all))?(?: (?:in|by) (?:the|this|your) ${DOCUMENT})?$`,
    ),
  },
  {
    kind: 'first person',
    pattern:
      /^(?:(?:so|then|but|personally|in (?:that|this|your) case|if in doubt|otherwise|and),? )?i(?:'d| would) (?:rather |also |always )?(?:suggest|recommend|say|go|start|begin|choose|take|try|come|use|avoid|ask|check|wait|plan)\b(?:[^.;:](?!confirm)){0,110}$/,
  },
  {
    kind: 'first person',
    pattern:
      /^(?:(?:so|then|but|personally|in (?:that|this|your) case|if in doubt|otherwise|and),? )?i(?:'d| would| think| guess| hope| recommend| suggest| assume| understand| wish| agree| prefer| find| feel| love| like|'m (?:an? |just |not |only |your )| am (?:an? |just |not |only |your ))(?:(?! that |confirm|because|, since| as )[^.;:]){1,110}$/,
  },
];

/** Longer sentences say something. */
const LONGEST = 220;
const MOST_HEADING_WORDS = 8;
/** So much of the line is looked at on each side. */
const SEEN = 80;
const MARKER = /^[([]?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)\]]?$/i;
const MARKUP = /^[\s*_#>•–—"'“”«»()[\]-]{1,12}|[\s*_"'“”«»()[\]]{1,12}$/g;
const DIGIT = /\d/;

/**
 * Which kind of non-claim stands at a place of a text: a list marker, a heading, a question, or a
 * sentence of one of {@link NON_CLAIM_FORMS}; undefined for what a source can bear out or not.
 *
 * @param joined whether the sentence is an answer that is read with the question before it, to which "of
 *   course" says a good deal
 */
export function nonClaimAt(
  text: string,
  { start, end }: TextRange,
  joined = false,
): NonClaimKind | undefined {
  if (end - start > LONGEST) return undefined;
  const sentence = text.slice(start, end);
  const lead = text.slice(Math.max(0, start - SEEN), start);
  const before = lead.slice(lead.lastIndexOf('\n') + 1);
  const after = restOfLine(text, end);
  if (MARKER.test(sentence) && /^[\s*_([]*$/.test(before) && /^[.):\]]/.test(after))
    return 'marker';
  const plain = sentence.toLowerCase().replaceAll('’', "'").replace(MARKUP, '');
  if (!joined && /^[\s"'”*_)]{0,4}\?/.test(after)) return 'question';
  if (isHeading(plain, before, after)) return 'heading';
  const hasDigits = DIGIT.test(plain);
  for (const { kind, pattern, digits } of NON_CLAIM_FORMS) {
    if ((hasDigits && digits === undefined) || (joined && kind === 'agreement')) continue;
    if (pattern.test(plain)) return kind;
  }
  return undefined;
}

function restOfLine(text: string, end: number): string {
  const rest = text.slice(end, end + SEEN);
  const close = rest.indexOf('\n');
  return close < 0 ? rest : rest.slice(0, close);
}

/** A line of few words that ends with a colon, stands in bold letters, or behind the sign of a heading. */
function isHeading(plain: string, before: string, after: string): boolean {
  if (DIGIT.test(plain) || plain.split(' ').length > MOST_HEADING_WORDS) return false;
  if (/^\s{0,3}#{1,6}\s/.test(before)) return true;
  const isBold = /(?:\*\*|__)\s*$/.test(before) && /^:?\s*(?:\*\*|__):?\s*$/.test(after);
  return isBold || (/^[\s*_>#-]*$/.test(before) && /^\s*(?:\*\*|__)?:(?:\*\*|__)?\s*$/.test(after));
}
