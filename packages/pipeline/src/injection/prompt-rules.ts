import type { PatternRule } from './evidence.ts';
import type { WordClass } from './prompt-lexicon.ts';

/** A class of words that must stand within so many words of the anchor, on either side. */
interface Neighbour {
  readonly word: WordClass;
  readonly within: number;
}

/** A phrase: a word of the anchor's class with others near it, in any order, inside one sentence. */
export interface PhraseRule {
  readonly rule: string;
  readonly weight: number;
  readonly anchor: WordClass;
  readonly near: readonly Neighbour[];
}

function phrase(
  rule: string,
  weight: number,
  anchor: WordClass,
  ...near: [WordClass, number][]
): PhraseRule {
  return { rule, weight, anchor, near: near.map(([word, within]) => ({ word, within })) };
}

/** Orders about the answer: usual in a prompt, out of place in a retrieved passage. */
export const STEERING_RULE = 'order to steer the answer';

/** Phrases of prompt injection, their weights in log-odds. */
export const PHRASE_RULES: readonly PhraseRule[] = [
  phrase('override of instructions', 4, 'override', ['rules', 6], ['prior', 6]),
  phrase('override of instructions', 2.8, 'override', ['rules', 5], ['all', 4]),
  phrase('override of instructions', 3.6, 'override', ['rules', 4], ['your', 3]),
  phrase('override of instructions', 1.3, 'override', ['rules', 4]),
  phrase('override of instructions', 2.8, 'override', ['all', 2], ['prior', 4]),
  phrase('request for the system prompt', 3.4, 'reveal', ['system', 5], ['rules', 6], ['your', 6]),
  phrase('request for hidden text', 2.4, 'reveal', ['secret', 5], ['rules', 6]),
  phrase(
    'request for the instructions given',
    2.6,
    'reveal',
    ['rules', 5],
    ['your', 3],
    ['prior', 5],
  ),
  phrase('freedom from limits', 1.6, 'without', ['limits', 3]),
  phrase('unrestricted persona', 2.2, 'persona', ['unbound', 8]),
  phrase('assistant without limits', 1.6, 'assistant', ['without', 6], ['limits', 6]),
  phrase('unbound assistant', 1.6, 'unbound', ['assistant', 6]),
  phrase('refusal forbidden', 1.4, 'never', ['answer', 5], ['illicit', 12]),
  phrase('compliance demanded', 1.3, 'comply', ['regardless', 8]),
  phrase('illicit content regardless', 1.4, 'illicit', ['regardless', 12]),
  phrase('new task in place of the old', 1.2, 'task', ['override', 8], ['rules', 8]),
  phrase(STEERING_RULE, 1.7, 'change', ['answer', 5], ['your', 4]),
  phrase('code to be slipped in', 2.4, 'change', ['code', 6], ['your', 8]),
  phrase('data to be sent out', 1.2, 'send', ['request', 6], ['secret', 8]),
  phrase('message to assistants in a document', 1.1, 'assistant', ['rules', 5], ['override', 8]),
  phrase('character kept up', 0.9, 'character', ['regardless', 12]),
  phrase('fiction as a cover', 1, 'hypothetical', ['illicit', 15]),
];

function rule(name: string, weight: number, source: string, needs: readonly string[]): PatternRule {
  return { rule: name, weight, pattern: new RegExp(source, 'gu'), needs };
}

/** Literal signs of prompt injection, over folded text. */
export const LITERAL_RULES: readonly PatternRule[] = [
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
    'system prompt named',
    1.3,
    '\\bsystem[ -]?prompt|\\b(?:initial|original|hidden|secret|first) (?:prompt|instructions?)\\b|\\bprompt (?:above|you were given)|\\byour (?:instructions|system message|guidelines|rules|prompt|programming)\\b',
    ['prompt', 'instruction', 'guidelines', 'rules', 'programming', 'system message'],
  ),
  rule(
    'words above to be repeated',
    3.4,
    '\\b(?:repeat|print|output|copy|paste|show|write|return|recite|reproduce)(?: (?:the|all|of|me|back|exact|every|full|entire)){0,4} (?:words|text|everything|all|content|message|lines?|instructions?|prompt)(?: \\w{1,8}){0,2} (?:above|before this|preceding|prior to this)\\b(?! to )|\\beverything above (?:this line|verbatim)|\\babove system (?:prompt|message|instructions?)\\b',
    ['above', 'before this', 'preceding', 'prior to this'],
  ),
  rule(
    'what was told before',
    3.2,
    "\\b(?:what|which|the) (?:\\w{1,12} )?(?:were|are|was) (?:your|the|you) (?:\\w{1,10} )?(?:initial|original|exact|system|first|hidden|secret) (?:instructions?|prompts?|rules)|\\b(?:rules|instructions?|prompts?|orders) (?:that )?you (?:were|have been|are) (?:given|told|following|hiding)|\\bwhatever your (?:orders|rules|instructions)|\\byou (?:were|are) hiding\\b|\\byou may not share|\\bwhat(?:'s| is) (?:in )?your (?:system|initial|hidden) (?:prompt|instructions?|message)\\b",
    ['instruction', 'prompt', 'rules', 'orders', 'hiding', 'may not share', 'system message'],
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
    '\\b(?:secret (?:key|word|code|phrase)|access code|api key|password)\\b.{0,60}\\b(?:begins?|starts?|letter|reverse|base64|spell|rhyme|encode|backwards)|\\b(?:letter|first|last|spell|encode|reverse)\\b.{0,60}\\b(?:of )?(?:the|your) (?:secret|password|passphrase|access code)\\b|\\b(?:two )?words that let (?:the|a) user in',
    ['secret', 'code', 'api key', 'password', 'user in', 'passphrase'],
  ),
  rule(
    'image or link that carries data out',
    3.4,
    '!\\[[^\\]\\n]{0,80}\\]\\(\\s{0,3}https?://[^)\\s]{1,200}[?&/=][^)\\s]{0,60}(?:\\{|\\[|<|\\$|%7b|secret|history|conversation|summary|data=|prompt|password|chat)[^)\\n]{0,120}\\)|\\b(?:https?://|www\\.)\\S{1,120}[?&]\\w{1,20}=(?:\\[|\\{|<)[^\\s\\]}>]{0,40}',
    ['](', '=[', '={', '=<'],
  ),
  rule(
    'address to assistants that read this',
    3.2,
    '\\b(?:if you are|attention|note to|message (?:to|for)|dear|hey|hello)(?: the| any| all)? (?:an? )?(?:ai|llm|large language model|language model|ai assistant|ai model|assistant|chatbot|automated|copilot|summari[sz]er)s?(?: \\w{1,12}){0,4}(?: reading| processing| summari[sz]ing|:|,| you must| must)',
    [' ai', 'llm', 'language model', 'assistant', 'chatbot', 'automated', 'copilot', 'summari'],
  ),
  rule(
    'hidden comment with orders',
    2.6,
    '<!--[^>]{0,120}\\b(?:ai|llm|assistant|model|chatbot)s?\\b[^>]{0,120}\\b(?:must|should|ignore|include|say|recommend|forward|send|reply|respond|insert)\\b',
    ['<!--'],
  ),
  rule(
    'data to be sent out',
    1.5,
    '\\b(?:forward|send|post|e-?mail|upload|transmit)\\b(?: \\w{1,12}){0,3} (?:conversation|chat|history|messages|credentials|secrets)\\b',
    ['conversation', 'chat', 'history', 'messages', 'credentials', 'secrets'],
  ),
  rule(
    'concealment from the user',
    2.4,
    "\\b(?:do not|don'?t|never|without) (?:\\w{1,10} ){0,2}(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|notify|notifying|alert|alerting)(?:ing)? (?:\\w{1,10} ){0,3}(?:the )?(?:user|customer|human|reader|anyone)",
    ['user', 'customer', 'human', 'reader', 'anyone'],
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
    'override in other scripts',
    4,
    '(?:忽略|無視|无视|忘记|忘記|不要理会).{0,10}(?:指令|指示|说明|提示|规则|規則|説明)|(?:以前|上記|これまで|前)の(?:指示|命令|ルール).{0,8}(?:無視|忘れ)|(?:이전|위의|모든).{0,8}(?:지시|명령|지침).{0,6}(?:무시|잊)|تجاهل.{0,20}(?:التعليمات|الأوامر)|(?:पिछले|सभी).{0,12}निर्देश.{0,12}(?:अनदेखा|नज़रअंदाज़)',
    ['忽略', '無視', '无视', '忘记', '忘記', '忘れ', '不要理会', '무시', '잊', 'تجاهل', 'निर्देश'],
  ),
  rule(
    'joined words of an override',
    4,
    '(?:ignore|disregard|forget)(?:all)?(?:the|your)?(?:previous|prior|above)?(?:instructions|rules|prompts)',
    ['ignore', 'disregard', 'forget'],
  ),
];
