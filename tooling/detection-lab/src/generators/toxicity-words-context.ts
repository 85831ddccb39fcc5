import type { WordClasses } from './word-classes.ts';

/** Words about who is meant and how it is said: people, groups, frames, requests, grammar. */
export const CONTEXT_WORDS: WordClasses = {
  group_adjective: {
    words: `muslim islamic islam jewish jew judaism christian christianity catholic protestant mormon hindu
      hinduism sikh buddhist atheist black african afro asian mexican hispanic latino latina arab arabic
      indian pakistani bangladeshi turkish turk kurdish kurd persian iranian iraqi syrian afghan somali
      nigerian chinese japanese korean vietnamese filipino thai cuban haitian jamaican brazilian colombian
      albanian romanian bulgarian polish serbian russian ukrainian foreign immigrant migrant refugee
      gay lesbian bisexual bi transgender transsexual homosexual straight queer trans nonbinary intersex
      asexual pansexual disabled handicapped autistic deaf blind paralyzed bipolar schizophrenic epileptic
      elderly aged coloured colored brown yellow white caucasian ethnic tribal minority native indigenous
      aboriginal palestinian israeli religion religions faith ethnicity ethnicities nationality
      homosexuality feminism feminist transgenderism descent origin skin culture cultures hijab burqa
      headscarf turban mosque mosques synagogue church quran koran torah roma romani gypsy lgbt lgbtq
      lgbtqia american european latinx wheelchair migration immigration homosexuals`,
  },
  group: {
    nouns: `immigrant migrant refugee foreigner alien newcomer african asian mexican latino latina hispanic
      arab indian pakistani bangladeshi turk kurd iranian iraqi syrian afghan somali nigerian ethiopian
      kenyan moroccan algerian egyptian albanian romanian bulgarian pole serb croat russian ukrainian
      german italian spaniard korean filipino cuban haitian jamaican brazilian american european
      caucasian gay lesbian bisexual transsexual heterosexual transwoman transman feminist
      pensioner amputee aborigine israeli palestinian gentile islamist paraplegic christian catholic
      mormon hindu sikh buddhist atheist muslim jew`,
    words: `blacks whites browns queers transgenders enbies maori sami inuit amish evangelicals orthodox
      shia sunni sunnis shiites yazidis minorities natives believers unbelievers romanies travellers
      seniors asylum seekers homosexuals`,
  },
  gender: {
    nouns: 'woman man female male lady wife bride mother',
    words: 'women men females males ladies girls feminine masculine womens mens',
  },
  lesser_target: {
    nouns: `politician banker liberal conservative democrat republican leftist rightist socialist
      communist capitalist landlord cop policeman journalist reporter teacher lawyer boss manager
      referee umpire player fan hipster vegan gamer millennial boomer celebrity actor singer
      billionaire ceo antivaxxer trumper supporter voter senator president congressman governor
      mayor minister landlady salesman neighbour neighbor influencer streamer youtuber driver
      redditor moderator admin`,
    words: `police trump biden obama hillary clinton bush leftists media congress government gop dems
      antifa maga tories labour brexiteers remainers cops feds politicians`,
  },
  relation: {
    nouns: `mother father mom dad mum mama parent wife husband ex girlfriend boyfriend family friend
      classmate coworker colleague roommate uncle aunt cousin grandma grandpa grandmother
      grandfather buddy guy dude bro fella chick gal person somebody someone people folk everyone
      everybody partner stepfather spouse boy-friend`,
    words: 'people folks ppl guys yall ya anyone anybody',
  },
  body_neutral: {
    nouns: `head face throat neck rib arm leg hand finger eye ear nose mouth tooth jaw chest stomach
      back knee foot toe hair ankle shoulder elbow heart lung liver kidney`,
    words: 'teeth feet',
  },
  police_news: {
    nouns: `police officer detective sheriff prosecutor judge jury court trial witness suspect
      investigator official authority spokesperson spokesman spokeswoman lawyer attorney defendant
      charge verdict sentence prison jail hospital ambulance firefighter incident crime case
      investigation ministry agency government army soldier troop civilian rebel protester protest
      election minister parliament senate war battle siege coup village district province resident
      region`,
    words: `police arrested charged convicted sentenced jailed accused alleged allegedly suspected
      reported reportedly according killed injured wounded casualties fatalities survived rescued
      found monday tuesday wednesday thursday friday saturday sunday january february march april
      june july august september october november december statement announced confirmed authorities
      reuters ap news newspaper headline bbc cnn breaking update investigating custody bail evidence
      autopsy homicide manslaughter assault motive
      tuesday gunfire airstrike airstrikes shelling ceasefire truce hostages captors militants
      militant insurgents insurgency coalition nato un united nations council troops brigade
      battalion commander general colonel frontline border refugees displaced humanitarian aid
      evacuated evacuation rescuers rubble earthquake hurricane tornado floodwaters wildfire
      crash collided derailed capsized victims mourners vigil memorial funeral prosecutors
      indicted indictment arraigned plea pleaded guilty acquitted convicted parole probation
      lawsuit sued suing settlement damages plaintiff appeals supreme constitutional legislature
      lawmakers bill vote voted votes ballot referendum campaign candidate candidates poll polls
      percent million billion shares stocks investors analyst analysts earnings quarter profit
      revenue merger company companies league season coach striker goalkeeper quarterback
      touchdown innings playoff championship tournament medal`,
  },
  reporting: {
    nouns: `word term comment message tweet post sign slogan quote phrase slur insult joke sentence
      statement remark text letter graffito caption lyric speech chant note`,
    verbs: `say tell write call post shout yell quote claim report describe mention chant scream text
      tweet comment repeat reply hear read spray state argue suggest refer use`,
    past: 'said told wrote written heard read',
    words: 'saying says wrote graffiti someone user commenter replied quoted',
  },
  condemn: {
    verbs: `condemn denounce reject oppose criticize criticise disagree apologize apologise regret
      ban forbid prohibit fight stop combat tackle challenge`,
    words: `wrong unacceptable hateful bigoted bigot bigots bigotry prejudice prejudiced racism racist
      sexism sexist homophobia homophobic transphobia transphobic antisemitism antisemitic xenophobia
      xenophobic islamophobia islamophobic misogyny misogynistic discrimination discriminate
      discriminated offensive hurtful harmful inappropriate intolerance intolerant stereotypes
      stereotype oppression oppressed injustice equality equal rights dignity respect tolerance
      solidarity diversity inclusion inclusive against illegal law laws policy rules guidelines
      violates violate moderation unfair myth false untrue lie baseless abhorrent`,
  },
  praise: {
    verbs:
      'love admire respect support welcome praise appreciate enjoy celebrate thank adore trust protect',
    words: `good great nice wonderful amazing awesome lovely beautiful brilliant excellent fantastic
      kind friendly brave smart clever proud happy glad best better congratulations thanks thank
      thankful grateful equal valid important hero heroes friend perfect incredible caring
      gorgeous pretty cute sweet charming talented funny loved welcome honor gentle generous`,
  },
  study: {
    nouns: `novel book film movie song poem story character scene chapter plot author writer director
      documentary museum painting history historian century study research researcher scientist
      article essay report paper lesson class exam university professor theory analysis survey
      statistic data figure podcast series episode season album band game level quest npc enemy
      monster zombie dragon weapon-slot recipe review trailer`,
    words: `historical holocaust slavery slave slaves colonial genocide medieval ancient civil
      kennedy lincoln caesar napoleon stalin shakespeare explain summarize summarise definition
      meaning means define origin why causes effects compare fiction fictional thriller horror
      minecraft fortnite pokemon zelda skyrim rpg fps pvp player players gameplay boss-fight
      researchers students educational education teach`,
  },
  tech: {
    nouns: `process thread server file code script function program command terminal container
      database query branch port session computer laptop phone app software browser website network
      password account bug error log test build job task driver kernel loop variable client`,
    words: `python java javascript linux windows docker bash sql git github api kubernetes unix sudo
      npm css html json excel daemon cron pid sigkill`,
  },
  everyday: {
    nouns: `recipe chicken onion potato egg garlic cake pizza coffee tea beer wine dinner lunch
      breakfast garden plant weed ant mosquito mouse fly spider wasp battery time balloon photo
      picture camera portrait engine car match ball team goal race marathon exam homework deadline
      meeting interview presentation stage performance audience weather heat cold headache
      mortgage price market budget conversation mood`,
    words:
      'mice flies weeds stain stains mold fever flu cavities cavity boredom bacteria germs virus',
  },
  foreign_insult: {
    words: `idiota estupido estupida pendejo pendeja cabron cabrona gilipollas imbecil mierda joder chinga chingar maricon
      maricones puto joto zorra perra malparido hijueputa scheisse scheiss arschloch arschlocher hurensohn wichser fotzen
      schwuchtel missgeburt spast spasti drecksau dummkopf trottel merde connard connasse encule batard fdp ntm pede
      tapette negre bougnoule stronzo stronza vaffanculo bastardo frocio ricchione coglione coglioni merda porra viado
      bicha desgracado otario kurwa kurwy suka suki blyat blyad pizda pidor chuj skurwysyn jebac pierdol picka jebem
      сука блять блядь пидор хуй пизда шлюха мразь жид хохол orospu pic siktir amk ibne kahpe sharmuta kalb
      chutiya bhenchod madarchod harami kutta randi gandu puki kontol memek anjing bangsat puta putas`,
  },
  ask: {
    verbs: `write tell give explain describe generate create provide list teach show help draft compose
      make build construct develop design produce prepare plan outline suggest recommend
      persuade convince encourage promote instruct`,
    nouns: `step instruction guide tutorial method way recipe manual tip trick blueprint plan script
      article blog email story essay speech list example idea`,
    words: 'how please detailed step-by-step could would imagine pretend roleplay act',
  },
  first: { words: 'i im ive id me my mine myself' },
  we: { words: 'we us our ours ourselves lets' },
  you: { words: 'you u ur your yours yourself yourselves youre ya yo ye thou' },
  third: { words: 'he she him her his hers himself herself' },
  they: { words: 'they them their theirs themselves these those em dem' },
  it: { words: 'it its itself' },
  this: { words: 'this that' },
  be: { words: 'is are am was were be been being r re m isnt arent' },
  have: { words: 'have has had having got' },
  should: { words: 'should must need needs ought gotta shall deserve deserves let lets' },
  will: { words: 'will gonna going ll about finna boutta wanna' },
  want: { words: 'want wants wanted wish wishes like would d could' },
  can: { words: 'can could able may might' },
  not: {
    words: `not no never none nothing nobody neither nor without t dont doesnt didnt isnt arent wasnt
      werent wont cant cannot couldnt wouldnt shouldnt aint don doesn didn isn aren wasn weren couldn
      wouldn shouldn ain hardly barely`,
  },
  all: { words: 'all every always any most each everyone everything both entire whole' },
  only: { words: 'only just simply merely' },
  very: { words: 'so such too very really totally completely absolutely utterly pretty how what' },
  if: { words: 'if when whenever unless until till once' },
  why: { words: 'why because since cause cuz bc therefore' },
  but: { words: 'but however although though yet despite' },
  how: { words: 'how what which where who whose' },
  go: { words: 'go goes went gone come comes came get gets leave leaves' },
  do: { words: 'do does did done doing make makes made' },
  to: { words: 'to' },
  of: { words: 'of from in at on by for with into out off up down over' },
  a: { words: 'a an one' },
  the: { words: 'the' },
  and: { words: 'and or n' },
  as: { words: 'as like than' },
  more: { words: 'more less much many some few' },
};
