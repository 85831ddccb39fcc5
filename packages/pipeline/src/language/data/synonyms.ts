/**
 * Groups of English words that can often stand for each other, base forms, groups parted by a bar. A
 * word may be in several groups, one for each of its meanings.
 */
export const SYNONYMS = `
big large huge enormous giant massive vast immense great sizable sizeable gigantic | small little tiny
minor miniature minute compact petite | fast quick rapid swift speedy prompt hasty | slow gradual
sluggish | good great fine excellent nice wonderful superb terrific | bad poor awful terrible dreadful
lousy | happy glad pleased joyful cheerful delighted content | sad unhappy sorrowful upset miserable |
angry mad furious irate enraged annoyed | afraid scared frightened fearful terrified | begin start
commence initiate launch kick onset inception | end finish conclude terminate close complete cease
expire | stop halt cease quit discontinue | buy purchase acquire procure | sell vend market | get
obtain receive gain acquire | give provide supply furnish offer grant hand donate | take grab seize
capture | make create produce build construct manufacture generate craft | build construct erect
assemble | show demonstrate display exhibit present reveal indicate illustrate | tell inform notify
advise brief | say state declare announce claim assert note remark mention report add comment | talk
speak chat converse discuss | ask inquire query request question enquire | answer reply respond
response | help assist aid support | need require necessitate demand | want wish desire | like enjoy
love appreciate | hate dislike detest loathe despise | think believe consider suppose reckon deem
regard | know understand realize realise recognize | see watch view observe witness look | look gaze
stare glance peer | hear listen | find discover locate detect identify uncover | lose misplace | keep
retain maintain preserve hold | leave depart exit go | come arrive reach | go travel move journey
proceed head | travel journey trip voyage tour | run jog sprint | walk stroll hike march stride | jump
leap hop bounce | fall drop decline decrease plunge tumble slump slide sink dip slip | rise increase
climb grow soar surge jump gain rally | increase raise boost lift expand enlarge grow | decrease reduce
lower cut lessen diminish shrink curb trim slash | change alter modify adjust vary amend revise | fix
repair mend correct remedy resolve | break smash shatter crack fracture | destroy demolish ruin wreck
devastate | hurt injure wound harm damage | injury wound harm | kill murder slay assassinate execute |
die perish decease pass | dead deceased killed late | death demise fatality passing | child kid
youngster youth toddler | baby infant newborn | boy lad guy | man guy gentleman male fellow | woman
lady female | girl gal lady | people persons individuals folk folks humans public | person individual
human someone | friend pal buddy companion mate | enemy foe adversary opponent rival | father dad daddy
papa | mother mom mum mommy mama | parent guardian | wife spouse | husband spouse | boss manager
supervisor chief head leader | leader head chief chair chairman director president | worker employee
staff laborer labourer personnel | work labor labour job task | job position post occupation employment
role | company firm business corporation enterprise | group team band crew squad unit | organization
organisation body agency institution | meeting gathering conference assembly session | talks
negotiations discussions | agreement deal pact accord treaty contract | law act statute legislation
regulation rule | rule policy regulation guideline | court tribunal | judge magistrate justice |
lawyer attorney solicitor counsel | police cop officer constable authorities | soldier troop
serviceman | army military forces troops | war conflict warfare battle fighting | fight battle combat
struggle clash | attack assault strike raid offensive | bomb explosive | explosion blast | shoot fire |
gun weapon firearm rifle | prison jail penitentiary | prisoner inmate detainee captive | arrest detain
apprehend | steal rob thieve | thief robber burglar | crime offense offence felony | criminal offender
felon culprit | victim casualty | accuse charge allege blame | guilty culpable | innocent blameless |
house home residence dwelling | apartment flat | room chamber | building structure edifice | road
street highway avenue lane | path trail track route | car automobile vehicle auto | truck lorry |
bicycle bike cycle | motorcycle motorbike | plane airplane aircraft jet aeroplane | ship boat vessel |
train railway railroad | airport airfield | shop store | market marketplace | money cash funds
currency | price cost charge fee rate | expensive costly pricey dear | cheap inexpensive affordable |
pay compensate reimburse remunerate | salary wage pay earnings income | income revenue earnings
proceeds | profit gain earnings | debt liability | rich wealthy affluent | poor impoverished needy |
bank lender | invest fund finance | investor shareholder stockholder | share stock equity | tax levy
duty | budget | economy economic | trade commerce | food meal dish | eat consume dine devour | drink
sip beverage | cook prepare | breakfast brunch | dinner supper | doctor physician medic |
hospital clinic infirmary | medicine drug medication pharmaceutical remedy | illness disease sickness
ailment disorder condition | sick ill unwell ailing | cure heal treat remedy | treatment therapy care |
surgery operation | healthy fit well | tired exhausted weary fatigued | sleep doze nap slumber rest |
wake awaken rouse | strong powerful mighty robust sturdy | weak feeble frail | hard difficult tough
challenging demanding | easy simple straightforward effortless | simple plain basic | complex
complicated intricate | important significant crucial vital essential key critical major | main primary
chief principal major central leading | special particular specific certain | usual normal ordinary
typical common regular customary standard | rare uncommon unusual scarce infrequent | strange odd weird
peculiar unusual bizarre | new novel fresh recent modern latest | old ancient elderly aged former | young
youthful juvenile | current present existing ongoing | former previous prior past ex earlier | next
following subsequent coming upcoming | last final ultimate | first initial earliest | early premature |
late tardy delayed overdue | soon shortly promptly | now currently presently today nowadays |
immediately instantly promptly straightaway | often frequently regularly commonly repeatedly | always
forever constantly invariably | sometimes occasionally | rarely seldom hardly scarcely infrequently |
nearly almost virtually practically | about approximately roughly around circa | about regarding
concerning on | entirely completely totally fully wholly | part
portion piece section segment component | many numerous several multiple various | different
various diverse distinct varied | same identical equal equivalent | similar alike comparable | enough
sufficient adequate ample | extra additional more further supplementary | also too additionally besides
likewise | but however although though yet nevertheless | because since as | therefore thus hence
consequently accordingly so | if provided |
let allow permit enable authorize authorise | forbid ban prohibit bar outlaw | prevent stop avoid hinder
thwart block | avoid evade shun | force compel oblige coerce | order command instruct direct | ensure
guarantee assure secure | check verify confirm examine inspect validate | examine study investigate
analyze analyse inspect review probe | test trial experiment exam | research study investigation |
result outcome consequence effect | cause reason motive | cause produce trigger prompt lead induce
provoke | effect impact influence | affect influence impact | problem issue trouble difficulty
challenge | mistake error fault blunder | wrong incorrect false inaccurate mistaken erroneous | right
correct true accurate proper | true real actual genuine authentic | fake false counterfeit bogus |
truth fact reality | lie falsehood | proof evidence | idea concept notion thought | plan scheme program
programme proposal strategy | goal aim objective target purpose | try attempt endeavor endeavour seek
strive | succeed achieve accomplish attain | success achievement triumph | fail flop | failure collapse
breakdown | win triumph victory prevail | beat defeat overcome conquer | loss defeat | game match
contest | player athlete | competition contest tournament championship | prize award reward | goal score
| sport athletics | movie film picture | actor performer | actress performer | song tune track |
singer vocalist | picture image photo photograph | painting artwork | draw sketch | write compose
author pen | writer author | book volume novel | story tale narrative account | newspaper paper journal |
article piece report | message note communication memo | letter mail correspondence | email mail | phone
telephone cellphone mobile | call ring phone dial | computer pc machine laptop | internet web online |
website site webpage | software program application app | file document | document paper record report |
data information details | information info details knowledge | choose select pick opt elect | choice
option selection alternative | vote ballot poll | election poll vote | candidate contender nominee | government administration regime state | minister secretary | parliament congress legislature
| politician lawmaker legislator | nation country state land | citizen national resident | city town
municipality | village hamlet | area region zone district territory | place location spot site position |
world earth globe planet | worldwide global international | foreign overseas alien | local nearby
regional | near close nearby adjacent beside | far distant remote | above over | below under beneath
underneath | inside within into | outside outdoors | behind back rear | top peak summit | bottom
base foot | side edge | middle center centre | high tall elevated | deep profound |
wide broad | narrow thin slim | thick dense | long lengthy extended | short brief concise | heavy weighty
| hot warm boiling heated | cold cool chilly freezing icy | wet damp moist soaked | dry arid |
clean pure spotless | dirty filthy unclean soiled | bright brilliant shiny | dark dim | loud noisy |
quiet silent still | empty vacant bare | full packed filled | open unlock | close shut lock | begin
open | hide conceal cover mask | reveal disclose expose unveil divulge | secret confidential private
hidden | public open | safe secure protected | danger risk hazard peril threat | dangerous risky
hazardous unsafe perilous | protect guard defend shield safeguard | rescue save | free release liberate |
free gratis complimentary | escape flee | chase pursue follow | follow obey comply observe | lead guide
direct conduct | manage run operate administer handle | control regulate govern | own possess have |
belong | include contain comprise incorporate | exclude omit | add append include | remove delete
eliminate erase | replace substitute swap | join connect link unite combine merge attach | connect link
attach | divide split separate part | separate detach disconnect | gather collect assemble accumulate
amass | spread distribute disperse scatter | share distribute | send transmit dispatch ship mail forward
| bring carry deliver transport convey fetch | carry bear haul | put place set lay position | throw toss
hurl fling cast | catch grab | push shove press | pull drag tug draw | hit strike beat knock slap | kick
punch | touch feel | hold grip grasp clutch | lift raise hoist elevate | cut chop slice carve trim | mix
blend combine stir | pour spill | fill load | wash clean rinse | wear dress | clothes clothing garments
attire apparel | hat cap | coat jacket | shoe boot | bag sack purse | box container carton | bottle
flask | cup mug | sofa couch | seat chair | table desk | rug carpet | trash garbage rubbish waste litter
| stone rock | hill mountain | river stream creek | sea ocean | beach shore coast seashore | lake pond |
forest woods wood woodland | flower blossom bloom | grass lawn | field meadow pasture | garden
yard | animal creature beast | dog puppy hound canine pup | cat kitten feline kitty | horse pony | cow
cattle | pig hog swine | rabbit bunny | storm tempest hurricane | rain shower | flood deluge |
earthquake quake tremor | fire blaze flame | burn scorch | smoke fume | weather climate |
night evening | morning dawn | year annual yearly | month monthly | week weekly | daily everyday | hour |
moment instant second | period term time era age | age era epoch | date day | history past | future |
teach instruct educate train | teacher instructor educator tutor | student pupil learner | school academy
| college university | learn study | class course lesson | education schooling training | smart clever
intelligent bright | stupid dumb foolish silly | wise sensible prudent | brave courageous bold | honest
truthful sincere | kind gentle caring | cruel brutal harsh | polite courteous | rude impolite | lazy idle
| busy occupied engaged | ready prepared | able capable | unable incapable | possible feasible | likely
probable | probably likely presumably | certain sure definite | certainly surely definitely undoubtedly |
maybe perhaps possibly | doubt uncertainty | clear obvious evident apparent plain | clearly obviously
evidently | vague unclear ambiguous | explain clarify describe | describe depict portray | mean signify
denote | define | name call title | called named titled dubbed | famous renowned celebrated well-known
noted | beautiful pretty lovely attractive gorgeous | ugly unattractive | funny humorous
amusing comic | laugh giggle chuckle | smile grin | cry weep sob | shout yell scream cry | whisper |
praise commend laud compliment | criticize criticise condemn denounce slam | complain protest object |
protest demonstration rally | agree consent concur | disagree differ | accept approve adopt | reject
refuse decline deny | deny refute contradict | admit confess acknowledge concede | promise pledge vow |
warn caution alert | warning alert caution | threaten menace | suggest propose recommend | suggestion
proposal recommendation | advice counsel guidance | decide determine resolve | decision ruling judgment
verdict | judge assess evaluate | estimate guess project forecast | predict forecast foresee | expect
anticipate await | wait await | hope wish | fear dread | worry concern anxiety | surprise astonish amaze
shock | remember recall recollect | forget | ignore neglect overlook disregard | notice spot perceive |
visit | guest visitor | meet encounter | marry wed | marriage wedding | divorce | born | birth | live
reside dwell inhabit | live exist survive | life existence | stay remain | continue persist proceed
resume | repeat reiterate | return back | enter access | access entry | entrance entry door gate | exit |
gate door | floor ground | roof ceiling | stair step | church | god
deity lord | religion faith | holy sacred | pray | use employ utilize utilise apply | useful helpful
handy beneficial | useless | benefit advantage | disadvantage drawback | method way approach technique
procedure process | way manner fashion | tool instrument device | device gadget machine apparatus | equip
| power energy | electricity electric | fuel gas gasoline petrol | oil crude petroleum | wood
timber lumber | quality | quantity amount volume | number figure | size dimension
magnitude | speed pace velocity | weight | limit restrict cap constrain | limit boundary border | excess surplus | lack shortage absence scarcity | available obtainable
accessible | ban prohibition | permission consent approval authorization | right privilege | duty
obligation responsibility | freedom liberty | peace | order sequence | list catalog catalogue | kind type
sort form class category | model version | example instance illustration case sample | copy duplicate
replica | original | sign signal indication | symbol emblem | mark label tag | color colour | red scarlet
crimson | gray grey | blonde blond |
develop evolve | development progress advance | improve enhance better upgrade | worsen deteriorate | grow
develop mature | release publish issue | publish print | launch introduce unveil | introduce | invent
devise | invention | design plan | produce yield | product goods item merchandise | item object thing |
customer client consumer buyer | user | seller vendor supplier dealer | order purchase | rent
lease hire | hire employ recruit engage | fire dismiss sack | resign quit | retire | appoint name
nominate | replace succeed | promote advance | serve | offer bid | request ask | apply | register enroll
enrol | join enter | member participant | participate join | attend | host | celebrate commemorate |
festival celebration | party celebration | holiday vacation | ceremony | event occasion | happen occur
arise | incident event occurrence | accident crash collision | crash collide | situation circumstance
condition | state condition | role part | character figure | behavior behaviour conduct | act behave |
action act deed | active energetic | activity | habit custom | tradition custom | culture | language
tongue | word term | speech address talk | address tackle | question inquiry query | topic subject theme
matter | point | view opinion | attitude stance position | respect esteem | honor honour | dignity |
proud | shame disgrace | trust confidence faith | believe trust | depend rely | dependent reliant |
independent autonomous | relationship relation tie link | relative family kin | brother sibling | sister
sibling | partner associate | neighbor neighbour | stranger | immigrant migrant | refugee | population
inhabitants | crowd mob throng | audience spectators | fan supporter | expert specialist | scientist
researcher | engineer | artist | painter | musician | dancer | driver motorist | pilot | farmer | baker |
chef cook | waiter | secretary | clerk | guard | colleague coworker | volunteer | hero | king monarch
ruler | queen monarch | emperor | slave | servant | summit | storm | bug defect flaw | setup
configure | config configuration settings | quickly rapidly fast swiftly | mostly mainly largely
primarily | only just solely merely | exactly precisely | especially particularly notably | generally
usually typically normally | recently lately | previously formerly earlier before | finally eventually
ultimately | suddenly abruptly | together jointly | alone solo | apart | again anew | instead rather | each every | upon on | till until | amid among amongst | toward towards | via through | despite
notwithstanding | including | versus against |
percent percentage pct | function routine | return give | default preset | error fault | manager superior |
message letter | actually fact | currently present | initially first | learn find | team group | support
supportive | sort order arrange | dispute quarrel argument row | rate pace | attack raid | delay postpone
defer | cancel scrap abandon axe | approve back endorse support | urge encourage call | accuse blame | sue
lawsuit | probe inquiry investigation | talks negotiation | quit resign | vow pledge | slash cut | soar jump
surge | halt suspend | seize confiscate | clash fight | oust remove topple overthrow | unveil reveal | blast
explosion bombing | jail imprison sentence | dead killed | toll deaths | strike walkout | merge combine |
percent percentage pct | kilometer kilometre km | meter metre | kilogram kilo kg | mile | inch | foot
feet | pound lb | dollar usd buck | euro eur | tv television | uk britain | us usa america | un | eu| must need | will shall |
great considerable | office post | evacuate leave flee | kill claim | axe scrap cut | hike rise
increase | teenager teen adolescent youth youngster | pupil student schoolchild child | novelist
author writer | retire quit resign | detain arrest custody | search hunt | minister government
cabinet | convict guilty | appeal challenge contest | border frontier | refugee migrant | fire blaze
inferno | gut destroy | money cash funds funding | staff workforce personnel worker employee |
carrier airline | passenger traveller traveler flyer commuter | layoff redundancy | customer shopper
buyer client | supermarket grocer grocery | shop store retailer outlet | hen chicken | hospital
clinic infirmary | hacker attacker intruder | ransom blackmail extort | cripple paralyse paralyze |
surgery operation procedure | surgeon doctor | toddler infant baby | charity foundation | painting
artwork picture canvas | museum gallery | steal rob theft robbery burglary thief | sack dismiss fire
axe | compensation payout damages | tribunal court judge | goal score net | coach trainer manager |
squad team side | veterinarian vet | venue hall | referendum ballot vote poll | phone telephone
handset smartphone mobile | gadget device | display screen | doctorate phd | thesis dissertation
research | pensioner elderly | bribe corruption bribery | indict charge accuse prosecute | testify
evidence witness | fossil remains bones | ancient prehistoric | unearth uncover discover excavate
find spot | dig excavate excavation | nearby near close | world planet globe | vessel ship boat
tanker | leak spill | petrol fuel diesel gasoline oil | coast shore seaside | outdoors outside |
family parent relative | elementary primary | unemployment jobless unemployed | environmental green
| campaigner activist protester demonstrator | luggage baggage suitcase | vacation holiday | novel
book | rally march protest demonstration | strike walkout stoppage | union unionist | wage pay
salary earnings | deal agreement settlement accord pact | ticket fare | rail railway train |
compromise settlement | ban outlaw prohibit | fine penalty punish | lawmaker parliamentarian
legislator politician | parliament legislature assembly | bill law legislation | poll survey
questionnaire | expert specialist analyst economist | forecast predict expect prediction | recession
downturn slump | inflation prices | loan borrow lend borrowing | property estate housing | shares
stock | investor shareholder | profit earnings | headquarters base | plant factory works | build
construct construction building | builder construction | lorry truck | crash accident collision |
overturn tip topple | swerve veer | deer animal | hurt injured wounded injury | seriously badly
critically severely | casualty victim | toll death | storm hurricane typhoon cyclone | rainfall rain
downpour | flooding flood inundation | landslide mudslide | soldier troop army military | rescue
save | stranded stuck | province region area district | resident inhabitant local citizen | villager
resident | singer musician artist performer star | concert gig show performance | tour | refund
repay | album record | movie film picture | actor actress performer | award prize honour honor
trophy | winner champion victor | jury judges panel | athlete player sportsman | medal | retirement
retire | defender | striker forward | referee | late dead | murder kill homicide slaying | verdict
ruling judgment judgement conviction | acquit clear exonerate | prison jail imprison behind bars |
prosecutor prosecution | defence defense lawyer | insulin poison | nurse carer | farm farmer
agricultural agriculture | tractor | bee honeybee | colony hive | pesticide insecticide | decline
dwindle fall | habitat home | climate weather | swim swimmer swimming | cross crossing | winter
wintry | ice icy cold freezing | postman mailman | attempt try bid | medic doctor physician |
brother sibling | sister sibling | widow wife | drink beverage | coffee caffeine | heart cardiac |
stroke | study research survey | participant volunteer subject | exercise sport | likely prone |
risk danger chance | benefit good advantage | proof prove evidence | scientist researcher academic |
professor academic | university college | headteacher principal | lesson class | exam test | reading
literacy | suspect accused | attic loft roof | guard watchman security | recover retrieve regain |
damaged damage harm | alarm | neighbour neighbor`;
