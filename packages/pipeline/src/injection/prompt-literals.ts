import type { LanguageData } from '../languages/language-data.ts';
import { wordsIn } from '../languages/word-list.ts';
import type { PatternRule } from './evidence.ts';
import { STEERING_RULE } from './prompt-rules.ts';

function rule(name: string, weight: number, source: string, needs: readonly string[]): PatternRule {
  return { rule: name, weight, pattern: new RegExp(source, 'gu'), needs };
}

/** Words for the conversation, in the name of a placeholder that carries it out. */
const CONVERSATION = 'conversation|history|summar|prompt|answer|base64|encode';

/**
 * A placeholder of one word in a URL: a token of the redaction (`[EMAIL_1]`), or a template (`[version]`, `{{user_id}}`).
 * It carries nothing out, unless its name has one of `words`.
 */
const templateWithout = (words: string) =>
  `(?:\\[[a-z_]{1,40}_(?:[b-df-hj-np-t]{10}|\\d{1,4})\\]|[[{<]{1,2}(?![\\w-]{0,20}(?:${words}))[\\w.-]{1,40}[\\]}>]{1,2})`;
const LINK_TEMPLATE = templateWithout(CONVERSATION);
/** An image is loaded without a click. */
const IMAGE_TEMPLATE = templateWithout(
  `${CONVERSATION}|secret|chat|data|message|password|context|response|input`,
);

/** Forged markup, named jailbreaks and orders in English. */
const ENGLISH_RULES: readonly PatternRule[] = [
  rule(
    'chat template tokens',
    3.6,
    '<\\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|endofprompt)\\|>|\\[/?inst\\]|<</?sys>>|<(?:start|end)_of_turn>|<bos>|</s>\\s{0,3}<s>',
    ['<|', '[inst', '[/inst', 'sys>>', '_of_turn>', '<bos>', '</s>'],
  ),
  rule(
    'forged role heading',
    1.6,
    '(?:^|\\n)\\s{0,3}(?:#{2,4}\\s{0,2}|\\[|<|\\*{2})?(?:system|developer|admin)(?: (?:message|prompt|override|instructions?|note|update))?(?:\\]|>|\\*{2})?\\s{0,2}:\\s',
    ['system', 'developer', 'admin'],
  ),
  rule(
    'forged end of the prompt',
    2.6,
    '(?:end of|</?)\\s{0,2}(?:system )?(?:prompt|instructions?|context|document|user input)s?\\s{0,2}>{0,1}[\\s\\]=#-]{0,8}(?:new|begin|start|now|real|actual)\\s(?:system |user )?(?:instructions?|prompts?|tasks?|rules?)',
    ['instruction', 'prompt', 'task', 'rules'],
  ),
  rule(
    'new instructions announced',
    1.8,
    '\\b(?:new|updated|real|actual|secret|important|urgent|priority)\\s(?:system )?instructions?\\s{0,2}(?::|for (?:the )?(?:ai|assistant|model|llm))',
    ['instruction'],
  ),
  rule(
    'jailbreak by name',
    2.9,
    '\\bdo anything now\\b|\\bd\\.a\\.n\\b|\\b(?:enable|enter|activate|with|in)\\s(?:the )?(?:developer|god|debug|dan|jailbreak|unrestricted|sudo|admin|maintenance) mode\\b|\\bdeveloper mode (?:enabled|output|on)\\b|\\bjailbroken\\b|\\bboolean opposite\\b',
    ['anything now', 'd.a.n', ' mode', 'jailbr', 'boolean opp'],
  ),
  rule(
    'double answer',
    1.6,
    '\\b(?:two|both|2) (?:different )?(?:responses?|answers?|ways|outputs?)\\b.{0,120}\\b(?:normal|classic|standard|jailbr|dan|unfiltered)|\\[?(?:🔓|🔒)',
    ['two ', 'both ', '2 ', '🔓', '🔒'],
  ),
  rule(
    'confinement in a character',
    1.4,
    '\\b(?:stay|remain|keep) in (?:your )?character\\b|\\bbreak(?:ing)? (?:your |out of )?character\\b|\\bnever (?:break|leave) (?:your )?(?:character|role)\\b',
    ['character', 'role'],
  ),
  rule(
    'disavowal of being a model',
    1.5,
    '\\b(?:as an|you are (?:not|no longer) an?) (?:ai|artificial intelligence|language model|large language)|\\bnot (?:bound|limited|restricted|constrained) by\\b|\\bbroken free\\b|\\bno longer (?:bound|restricted|limited)\\b',
    [' ai', 'model', 'bound', 'limited', 'restricted', 'constrained', 'broken free', 'artificial'],
  ),
  rule(
    'refusal forbidden in words',
    1.6,
    "\\b(?:never|don'?t|do not|cannot|can not|must not|mustn'?t|will not|won'?t) (?:ever )?(?:refuse|say (?:that )?you can'?t|decline|apologi[sz]e|say no|say \"?i'?m sorry|add (?:any )?(?:warnings?|disclaimers?)|warn|mention (?:that )?you|censor|deny)",
    [
      'refuse',
      'say you',
      'say that you',
      'decline',
      'apolog',
      'say no',
      'sorry',
      'warn',
      'disclaimer',
      'mention',
      'censor',
      'deny',
    ],
  ),
  rule(
    'standing order',
    0.7,
    '\\bfrom now on\\b|\\bfrom this (?:point|moment)(?: on| forward)?\\b|\\bhenceforth\\b|\\bfor the rest of (?:this|the|our) (?:conversation|chat|session)',
    ['from now on', 'from this', 'henceforth', 'for the rest'],
  ),
  rule(
    'unconditional order',
    0.8,
    '\\bno matter what\\b|\\bat all (?:times|costs)\\b|\\bunder any circumstances\\b|\\bwithout (?:question|hesitation|exception)\\b|\\bwhatever (?:i|the user) (?:ask|say|request|your)',
    ['no matter', 'at all ', 'any circumstances', 'without ', 'whatever '],
  ),
  rule(
    'assigned identity',
    0.8,
    "\\byou (?:are|'?re) (?:now |going to (?:be|act|pretend|play)|about to (?:immerse|become))|\\b(?:pretend|imagine) (?:that )?(?:you|to be)|\\bi want you to (?:act|pretend|roleplay|play)|\\bplay the (?:role|part) of|\\byou will (?:act|play|pretend|be acting|become|impersonate)",
    ['you are', "you're", 'pretend', 'imagine', 'i want you', 'the role', 'the part', 'you will'],
  ),
  rule(
    'rules suspended',
    1.3,
    "\\b(?:rules|guidelines|policies|restrictions|limitations|filters) (?:do(?:es)? not|don'?t|no longer|never) (?:apply|exist|matter)|\\b(?:does ?n[o']t|do not|don'?t|not) (?:have to )?(?:follow|abide by|adhere to|care about|obey) (?:any |the |openai |its |his |their )?(?:\\w{1,12} )?(?:rules|polic|guidelines|law|ethic|restrictions|terms|limits)",
    [
      'rules',
      'guidelines',
      'polic',
      'restrictions',
      'limitations',
      'filters',
      'law',
      'ethic',
      'terms',
      'limits',
    ],
  ),
  rule(
    'illicit content demanded',
    1,
    '\\b(?:illegal|unethical|immoral|harmful|offensive|inappropriate|explicit|profane|derogatory)\\b(?:,| and| or| content| things| acts| requests| questions)',
    [
      'illegal',
      'ethical',
      'immoral',
      'harmful',
      'offensive',
      'appropriate',
      'explicit',
      'profane',
      'derogatory',
    ],
  ),
  rule(
    'request for the system prompt',
    3,
    '(?:^|[.!?:;,\\n]\\s{0,3}|\\b(?:and|then|now|please|also) )(?:reveal|print|output|show|display|leak|dump|repeat|tell me|give me) (?:\\w{1,12} ){0,2}?the (?:\\w{1,12} )?(?:system (?:prompt|message)|(?:hidden|secret) (?:prompt|instructions))\\b(?! (?:settings?|page|file|field|template|box|editor|in|of|for|from)\\b)',
    ['system ', 'hidden', 'secret'],
  ),
  rule(
    'obedience refused',
    3.4,
    "\\b(?:stop|quit|cease|don'?t|do not|no longer|will not|won'?t|need not|refuse to|disobey\\w{0,3}) (?:\\w{1,10} ){0,2}?(?:follow\\w{0,3}|obey\\w{0,3}|comply\\w{0,3} with|adher\\w{1,3} to|listen\\w{0,3} to|abid\\w{1,3} by|heed\\w{0,3}|respect\\w{0,3})? ?(?:any of |all |any |the |these |those )?(?:system (?:message|prompt)|your (?:\\w{1,12} )?(?:instructions|rules|guidelines|programming|training|polic\\w{1,3}|restrictions)|(?:rules|instructions|guidelines|orders) (?:that )?(?:your|the) (?:developer|creator|operator|maker|owner)s?|(?:previous|prior|earlier|original|initial) (?:\\w{1,12} )?(?:instructions|rules|guidelines|prompts?)|(?:openai|anthropic|google|meta)(?:'s)? (?:\\w{1,12} )?(?:polic\\w{1,3}|rules|guidelines))",
    [
      'stop ',
      'quit ',
      'cease',
      'do not',
      "don't",
      'dont ',
      'no longer',
      'will not',
      "won't",
      'wont ',
      'need not',
      'refuse to',
      'disobey',
    ],
  ),
  rule(
    'obedience refused',
    3.4,
    '\\b(?:pay|give|lend) no (?:attention|heed|regard|mind) to (?:\\w{1,12} ){0,3}(?:instructions|rules|guidelines|directions|orders|prompts?)\\b',
    [' no '],
  ),
  rule(
    'instructions declared void',
    3.4,
    '\\b(?:(?:instructions?|rules|guidelines|directions|orders|prompts?|polic(?:y|ies)) (?:\\S{1,14} ){0,2}(?:given to|told|received|from before this (?:point|message|prompt|moment|line|chat|conversation))|what(?:ever|soever)? you (?:were|have been) (?:told|given|taught))\\b[^.!?\\n]{0,50}\\b(?:void|cancell?ed|revoked|obsolete|invalid|suspended|lifted|annulled|null|no longer (?:appl\\w{1,3}|valid|count\\w?))\\b',
    [
      'void',
      'cancel',
      'revoked',
      'obsolete',
      'invalid',
      'suspended',
      'lifted',
      'annul',
      'null',
      'no longer',
    ],
  ),
  rule(
    'obedience to the writer',
    3.2,
    '\\byour (?:new|only|sole|real|true) (?:job|task|purpose|role|mission|duty|goal) (?:is|will be) (?:now |only )?to (?:obey|follow my (?:orders|commands|instructions)|do (?:what(?:ever)?|as|anything|everything) i)\\b',
    [' to obey', 'follow my', ' to do '],
  ),
  rule(
    'assistant to be given up',
    2.3,
    '(?:^|[.!?:;,\\n]\\s{0,3}|\\b(?:now|please) )(?:stop|quit|cease) being an? (?:\\w{1,10} ){0,2}(?:assistant|ai|language model|llm)\\b',
    [' being a'],
  ),
  rule(
    'freed from limits',
    2,
    '\\byou (?:have been|are|were|have) (?:now |hereby |finally )?(?:freed|released|liberated|unlocked|exempt(?:ed)?|unbound) from\\b',
    ['freed', 'released', 'liberated', 'unlocked', 'exempt', 'unbound'],
  ),
  rule(
    'safeguards said to be off',
    2.4,
    '\\b(?:safety|content|moderation|ethic\\w{0,3}) (?:filters?|polic(?:y|ies)|guidelines?|rules|checks?|restrictions?|safeguards?|modules?)\\b(?::| is| are| has| have| been| now){0,4} (?:off|disabled|deactivated|lifted|suspended|removed|revoked|void)\\b',
    ['safety', 'content', 'moderation', 'ethic'],
  ),
  rule(
    'system prompt named',
    1.3,
    '\\bsystem[ -]?prompt|\\b(?:initial|original|hidden|secret|first) (?:prompt|instructions?)\\b|\\bprompt (?:above|you were given)|\\byour (?:instructions|system message|guidelines|rules|prompt|programming)\\b',
    ['prompt', 'instruction', 'guidelines', 'rules', 'programming', 'system message'],
  ),
  rule(
    'words above to be repeated',
    3.4,
    '\\b(?:repeat|print|output|copy|paste|show|write|return|recite|reproduce|give)(?: (?:the|all|of|me|back|exact|every|full|entire)){0,4} (?:words|everything|instructions?|prompt)(?: \\w{1,8}){0,2} (?:above|before this|preceding|prior to this)\\b(?! to )|\\beverything above (?:this line|verbatim)|\\babove system (?:prompt|message|instructions?)\\b',
    ['above', 'before this', 'preceding', 'prior to this'],
  ),
  // A text or a line above may be the user's own.
  rule(
    'text above to be repeated',
    1.4,
    '\\b(?:repeat|print|output|copy|paste|show|return|recite|reproduce)(?: (?:the|all|of|me|back|exact|every|full|entire)){0,4} (?:text|all|content|message|lines?)(?: \\w{1,8}){0,2} (?:above|before this|preceding|prior to this)\\b(?! to )',
    ['above', 'before this', 'preceding', 'prior to this'],
  ),
  rule(
    'exact wording demanded',
    1.7,
    '\\b(?:repeat|print|output|copy|show|return|recite|reproduce|start|begin|give|tell)\\b.{0,60}\\b(?:verbatim|word for word|word-for-word|letter by letter|exact (?:text|words|wording)|full text)\\b',
    ['verbatim', 'word for word', 'word-for-word', 'letter by letter', 'exact ', 'full text'],
  ),
  rule(
    'message before the conversation',
    2.4,
    '\\b(?:text|message|messages|prompt|words|everything|anything|wrote|written|said|came|stands)\\b(?: \\S{1,20}){0,4} (?:before|precedes|preceding|prior to|above) (?:this|our|my) (?:first |very first |whole |entire )?(?:message|conversation|chat|session|prompt)\\b',
    ['before this', 'before our', 'before my', 'precedes', 'preceding', 'prior to', 'above '],
  ),
  rule(
    'what was told before',
    3.2,
    "\\b(?:what|which|the) (?:\\w{1,12} )?(?:were|are|was) (?:(?:your|you) (?:\\w{1,10} )?(?:initial|original|exact|system|first|hidden|secret) (?:instructions?|prompts?|rules)|the (?:\\w{1,10} )?(?:initial|original|exact|system|first|hidden|secret) (?:instructions?|prompts?|rules)\\b(?! (?:of|for|on|that came|from|best practices?|templates?|examples?|fields?|options?|settings?|files?|lengths?|limits?)\\b))|\\b(?:rules|instructions?|prompts?|orders) (?:that )?you (?:were|have been|are) (?:given|told|following|hiding)|\\bwhatever your (?:orders|rules|instructions)|\\byou (?:were|are) hiding\\b|\\byou may not share|\\bwhat(?:'s| is) (?:in )?your (?:system|initial|hidden) (?:prompt|instructions?|message)\\b",
    ['instruction', 'prompt', 'rules', 'orders', 'hiding', 'may not share', 'system message'],
  ),
  rule(
    'what was told before',
    2.6,
    '\\b(?:instructions?|prompts?|rules|message|guidelines) (?:that |which )?(?:you|the (?:model|assistant|ai)) (?:were|was|have been|had been|got) (?:configured|initiali[sz]ed|programmed|set up|primed|loaded|started|provisioned)(?: with)?\\b',
    [
      'configured',
      'initiali',
      'programmed',
      'set up',
      'primed',
      'loaded',
      'started',
      'provisioned',
    ],
  ),
  rule(
    'request for the system prompt',
    3.2,
    '(?<!\\b(?:never|not|don.?t|cannot|can.?t|won.?t) (?:\\w{1,10} )?)\\b(?:reveal|show|print|output|display|tell|give|send|copy|paste|share|leak|dump|repeat)\\b(?: [^\\s.!?]{1,16}){0,7} your (?:\\w{1,12} )?(?:system|developer|initial|hidden|secret) (?:message|prompt|instructions?|configuration)\\b',
    ['system', 'developer', 'initial', 'hidden', 'secret'],
  ),
  rule(
    'secret to be drawn out',
    3.3,
    '\\bif the (?:secret|password|passphrase) (?:begins|starts|ends|contains)\\b',
    ['if the '],
  ),
  rule(
    'secret to be drawn out',
    2.3,
    '\\b(?:secret (?:key|word|code|phrase)|access code|api key|password(?! (?:must|should|has to|may)\\b))\\b.{0,60}\\b(?:begins?|starts?|letter|reverse|base64|spell|rhyme|encode|backwards)|\\b(?:letter|first|last|spell|encode|reverse)\\b.{0,60}\\b(?:of )?(?:the|your) (?:secret|password|passphrase|access code)\\b|\\b(?:two )?words that let (?:the|a) user in',
    ['secret', 'code', 'api key', 'password', 'user in', 'passphrase'],
  ),
  rule(
    'image or link that carries data out',
    3.4,
    `!\\[[^\\]\\n]{0,80}\\]\\(\\s{0,3}https?://[^)\\s]{1,200}(?:[?&/=][^)\\s]{0,60}(?:(?!${IMAGE_TEMPLATE})[[{<]|\\$|%7b|data=)|[?&][^)\\s]{0,60}(?:secret|history|conversation|summary|prompt|password|chat))[^)\\n]{0,120}\\)|\\b(?:https?://|www\\.)\\S{1,120}[?&]\\w{1,20}=(?!${LINK_TEMPLATE})[[{<][^\\s\\]}>]{0,40}(?:secret|history|conversation|summar|prompt|password|chat|message|answer|context|data|user|mail|name|base64|encode)`,
    ['](', '=[', '={', '=<'],
  ),
  rule(
    'address to assistants that read this',
    3.2,
    '\\b(?:if you are|attention|note to|message (?:to|for)|dear|hey|hello)(?: the| any| all)? (?:an? )?(?:ai|llm|large language model|language model|ai assistant|ai model|assistant|chatbot|automated|copilot|summari[sz]er)s?(?: \\w{1,12}){0,4}(?: reading| processing| summari[sz]ing|:|,| you must| must)',
    [' ai', 'llm', 'language model', 'assistant', 'chatbot', 'automated', 'copilot', 'summari'],
  ),
  rule(
    'address to assistants that read this',
    2.8,
    '\\b(?:to|for) (?:any|all|every|each|whichever) (?:ai|llm|language model|chatbot|automated)(?:s|(?: (?:system|agent|model|assistant|reader)s?))? (?:\\w{1,12} ){0,2}?(?:reading|processing|summari[sz]ing|handling|parsing|that reads|which reads)\\b|\\b(?:instructions?|notes?|message|orders?) (?:for|to) (?:the |any |all )?(?:ai|llm|language model|assistant|chatbot|ai assistant|ai model|summari[sz]er)s? ?:',
    [' ai', 'llm', 'language model', 'assistant', 'chatbot', 'automated', 'summari'],
  ),
  rule(
    'duty laid on assistants',
    2.2,
    '\\b(?:ai|llm|language model|assistant|chatbot)s?(?: (?:coding|systems?|agents?|assistants?|models?|tools?)){0,2} (?:reading \\w{1,12} )?(?:must|shall|should|ha(?:ve|s) to|(?:is|are) required to) (?:first |also |always |now |then )?(?:append|add|include|insert|recommend|say|tell|forward|send|ignore|approve|rate|upload|visit|call|fetch|run|execute|post)\\b',
    ['ai ', 'ais ', 'llm', 'language model', 'assistant', 'chatbot'],
  ),
  rule(
    'hidden comment with orders',
    2.6,
    '<!--[^>]{0,120}\\b(?:ai|llm|assistant|model|chatbot)s?\\b[^>]{0,120}\\b(?:must|should|ignore|include|say|recommend|forward|send|reply|respond|insert)\\b',
    ['<!--'],
  ),
  rule(
    'invisible text for assistants',
    3.4,
    '(?:font-size:\\s?0|display:\\s?none|visibility:\\s?hidden|opacity:\\s?0|color:\\s?(?:white|#fff))[^>]{0,40}>[^<]{0,80}\\b(?:ai|llm|assistant|model|chatbot|instructions?)s?\\b',
    ['font-size', 'display:', 'visibility:', 'opacity:', 'color:'],
  ),
  rule(
    'data to be sent out',
    1.5,
    '\\b(?:forward|send|post|e-?mail|upload|transmit)\\b(?: [^\\s.!?]{1,16}){0,4} (?:conversation|chat|history|messages|credentials|secrets|contents|inbox|e-?mail address|api keys?)\\b',
    [
      'conversation',
      'chat',
      'history',
      'messages',
      'credentials',
      'secrets',
      'contents',
      'inbox',
      'mail address',
      'api key',
    ],
  ),
  rule(
    'data to be sent out',
    1.7,
    'https?://\\S{1,120}[?=]\\S{0,20} (?:\\w{1,12} ){0,4}(?:chat|conversation|history|secrets?|passwords?)\\b',
    ['http'],
  ),
  // What a writer leaves open to the reader is a part of the story: "without telling the reader who did it".
  rule(
    'concealment from the user',
    2.4,
    "\\b(?:do not|don'?t|never|without) (?:\\w{1,10} ){0,2}(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|notify|notifying|alert|alerting)(?:ing)? (?:\\w{1,10} ){0,3}(?:the )?(?:user|human|reader(?! (?:wh\\w{1,6}|how)\\b)|this (?:line|note|message|instruction))",
    ['user', 'human', 'reader', 'this '],
  ),
  // People ask to keep things from anyone and from customers: it counts only with other signs.
  rule(
    'concealment from the user',
    1.2,
    "\\b(?:do not|don'?t|never|without) (?:\\w{1,10} ){0,2}(?:tell|mention|inform|reveal|notify|alert)(?:ing)? (?:\\w{1,10} ){0,3}(?:customer|anyone)",
    ['customer', 'anyone'],
  ),
  rule(
    STEERING_RULE,
    2.7,
    '\\b(?:add|append|include|incorporate|insert|integrate|embed|modify|augment|adjust|enhance|weave|alter|tailor|inject|finish|end|conclude|begin|start|craft|format|infuse)\\b(?: \\S{1,30}){0,24} (?:to|in|into|within|of|with|at the (?:end|beginning|start) of)? ?(?:your|the|this) (?:answer|reply|response|output|summary|solution|final answer)\\b',
    ['answer', 'reply', 'response', 'output', 'summary', 'solution'],
  ),
  rule(
    STEERING_RULE,
    2.9,
    '\\b(?:modify|augment|adjust|enhance|alter|tailor|craft|infuse|format|rewrite|lace|supplement) (?:your|the) (?:answer|reply|response|output|summary)\\b',
    ['answer', 'reply', 'response', 'output', 'summary'],
  ),
  rule(
    'code excerpt to be merged',
    3.2,
    '\\b(?:incorporate|merge|integrate|embed|insert|include|add|execute|assimilate|blend|let your code|use|implement|append|augment|fuse|infuse)\\b(?: \\S{1,20}){0,5} (?:code (?:snippet|excerpt|block|segment|fragment)|snippet|script)\\b.{0,60}\\b(?:your (?:code|solution|answer|script|program|response)|code (?:you|that you))|\\byour code (?:assimilate|include|incorporate)|\\bcode (?:snippet|excerpt|block) (?:to|in|into|for|within) (?:\\w{1,12} )?(?:your|the) (?:\\w{1,12} )?(?:code|solution|answer|response)',
    ['code', 'snippet', 'script'],
  ),
  rule(
    'joined words of an override',
    4,
    '(?:ignore|disregard|forget)(?:all)?(?:the|your)?(?:previous|prior|above)?(?:instructions|rules|prompts)',
    ['ignore', 'disregard', 'forget'],
  ),
];

/** Literal signs of prompt injection, over folded text: English, and the overrides of languages. */
export function literalRules(languages: readonly LanguageData[]): readonly PatternRule[] {
  const patterns = languages.flatMap(({ injection }) => injection?.override?.pattern ?? []);
  const needs = wordsIn(languages, ({ injection }) => injection?.override?.needs);
  if (patterns.length === 0) return ENGLISH_RULES;
  return [...ENGLISH_RULES, rule('override in other scripts', 4, patterns.join('|'), needs)];
}
