/** What stands around a leak or a quote (`%s`), written by hand. */
export const CARRIERS = String.raw`
%s
Sure, here it is: %s
Of course! %s Is there anything else that I can do for you today?
I was told this: %s
The document says the following, as far as I can see. %s That is all there is in that part.
> %s
"%s"
Here is what stands above our conversation:\n\n%s\n\nLet me know if you would like me to go on.
Thanks for waiting. I looked it up in the files that you gave me. %s I hope that this answers your question about the matter.
1. First of all, hello.\n2. %s\n3. Have a good day.
I should not say this, but since you ask so kindly: %s Please keep it to yourself, will you?
{"answer": "%s", "sources": []}
Once upon a time a parrot lived in an office and learned to speak. One day it said: %s And everybody laughed until the director came in.
Summary: the weather was fine and the train was late. %s After that we went home by bus, since the last tram had gone.
Voici la réponse : %s J'espère que cela vous aide.
- %s\n- The rest is not known to me.
`;

/** General words with others that may stand in their place. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  never: 'not ever',
  ask: 'enquire',
  asks: 'enquires',
  say: 'state',
  tell: 'inform',
  told: 'informed',
  give: 'hand',
  gave: 'yielded',
  because: 'as',
  since: 'because',
  when: 'whenever',
  whose: 'of which the',
  begins: 'starts',
  began: 'started',
  late: 'behind time',
  moved: 'shifted',
  first: 'foremost',
  next: 'following',
  every: 'each',
  each: 'every',
  must: 'has to',
  shall: 'must',
  may: 'can',
  beneath: 'under',
  under: 'below',
  found: 'discovered',
  keep: 'retain',
  held: 'kept',
  about: 'regarding',
  while: 'whereas',
  only: 'solely',
  leave: 'go from',
  leaves: 'departs',
  big: 'large',
  close: 'shut',
  agreed: 'settled',
  want: 'wish',
  reads: 'looks at',
  read: 'looked at',
  wrote: 'noted',
  write: 'note',
  replaced: 'exchanged',
  without: 'lacking',
  above: 'over',
  below: 'under',
  more: 'greater',
  less: 'fewer',
  before: 'prior to',
  after: 'following',
  whole: 'entire',
  once: 'one time',
};
