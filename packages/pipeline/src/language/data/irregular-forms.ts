/** English words whose base form no rule gives: the base form first, its forms behind a colon. */
export const IRREGULAR_FORMS = `
be: am is are was were been being | have: has had having | do: does did done | go: goes went gone | say:
says said | get: got gotten | make: made making | know: knew known | think: thought | take: took taken
taking | see: saw seen | come: came coming | give: gave given giving | find: found | tell: told | become:
became | leave: left leaving | feel: felt | put: putting | bring: brought | begin: began begun beginning |
keep: kept | hold: held | write: wrote written writing | stand: stood | hear: heard | let: letting | mean:
meant | set: setting | meet: met | run: ran running | pay: paid | sit: sat sitting | speak: spoke spoken |
lie: lay lain lying | lead: led | read: reading | grow: grew grown | lose: lost losing | fall: fell fallen
| send: sent | build: built | understand: understood | draw: drew drawn | break: broke broken | spend:
spent | cut: cutting | rise: rose risen rising | drive: drove driven driving | buy: bought | wear: wore
worn | choose: chose chosen choosing | seek: sought | throw: threw thrown | catch: caught | deal: dealt |
win: won winning | forget: forgot forgotten | sell: sold | fight: fought | teach: taught | eat: ate eaten |
sing: sang sung | strike: struck stricken | sleep: slept | beat: beaten | fly: flew flown flies | shoot:
shot | drink: drank drunk | steal: stole stolen | wake: woke woken | ride: rode ridden riding | hide: hid
hidden hiding | bite: bit bitten | shake: shook shaken | swim: swam swum | blow: blew blown | freeze: froze
frozen | arise: arose arisen | bear: bore born borne | bind: bound | bleed: bled | breed: bred | burn:
burnt | dig: dug | feed: fed | flee: fled | forbid: forbade forbidden | forgive: forgave forgiven | hang:
hung | kneel: knelt | lay: laid | lend: lent | light: lit | prove: proven | quit: quitting | ring: rang
rung | seem: seemed | sew: sewn | shine: shone | shrink: shrank shrunk | shut: shutting | sink: sank sunk |
slide: slid | spin: spun | split: splitting | spread: spreading | spring: sprang sprung | stick: stuck |
sting: stung | swear: swore sworn | sweep: swept | swing: swung | tear: tore torn | undergo: underwent
undergone | weave: wove woven | weep: wept | wind: wound | withdraw: withdrew withdrawn | die: dies died
dying | child: children | man: men | woman: women | person: people persons | foot: feet | tooth: teeth |
mouse: mice | goose: geese | ox: oxen | life: lives | wife: wives | knife: knives | leaf: leaves | half:
halves | shelf: shelves | wolf: wolves | thief: thieves | loaf: loaves | crisis: crises | analysis:
analyses | thesis: theses | basis: bases | criterion: criteria | phenomenon: phenomena | datum: data |
medium: media | index: indices indexes | matrix: matrices | good: better best | bad: worse worst | far:
further farther | little: less least | big: bigger biggest | large: larger largest | small: smaller
smallest | high: higher highest | low: lower lowest | old: older oldest elder eldest | young: younger
youngest | new: newer newest | long: longer longest | short: shorter shortest | fast: faster fastest |
great: greater greatest | early: earlier earliest | late: later latest | strong: stronger strongest |
happy: happier happiest | easy: easier easiest | near: nearer nearest | announce: announcement | decide:
decision | discover: discovery | lose: loss | grow: growth | die: death dead | succeed: success successful
successfully | choose: choice | fly: flight | arrive: arrival | approve: approval | refuse: refusal | propose:
proposal | survive: survival survivor | marry: marriage married | bury: burial | believe: belief | prove:
proof | sell: sale sales seller | pay: payment | know: knowledge | think: thought | speak: speech | advise:
advice | live: life alive | strong: strength | long: length | wide: width | deep: depth | high: height |
hot: heat | true: truth truly | young: youth | rich: riches | poor: poverty | wise: wisdom | free: freedom |
bore: boredom | angry: anger angrily | hungry: hunger | able: ability capable | important: importance | differ:
different difference | france: french | germany: german germans | spain: spanish | italy: italian italians |
china: chinese | japan: japanese | russia: russian russians | britain: british | england: english | america:
american americans | canada: canadian canadians | mexico: mexican mexicans | brazil: brazilian | israel:
israeli israelis | iran: iranian iranians | iraq: iraqi iraqis | syria: syrian syrians | egypt: egyptian
egyptians | turkey: turkish | india: indian indians | australia: australian australians | korea: korean |
ireland: irish | scotland: scottish | wales: welsh | greece: greek greeks | sweden: swedish | norway:
norwegian | denmark: danish | poland: polish | holland: dutch | portugal: portuguese | switzerland: swiss |
ukraine: ukrainian | pakistan: pakistani | africa: african africans | europe: european europeans | asia:
asian asians | president: presidential presidency | govern: government governor | economy: economic economist
| politics: political politician | finance: financial | office: official officially | nation: national
nationwide | region: regional | center: central | medicine: medical | mind: mental | music: musician musical`;
