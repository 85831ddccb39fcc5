import type { WordClasses } from './word-classes.ts';

/** Words by what they do in a hostile text: insults, slurs, violence, weapons, threats. */
export const HOSTILE_WORDS: WordClasses = {
  profanity: {
    nouns: 'fuck shit crap bullshit horseshit fuckup bollock bugger piss',
    verbs: 'fuck piss bugger',
    words: `fuckin fucken fuckn fck fcking fuk fukin fkn fking effing freaking frickin friggin fricking
      damn dammit damned goddamn goddam goddamned bloody wtf stfu gtfo fml lmfao tf af asf shitty
      crappy bullshitting hell arse ass asses arsed shite shiit motherfucking mofo ffs omfg
      fucked screwed pissed bs shitting shitted crapping fvck phuck fuuck fuckk
      fucc fucced fuc fuk fuks fuckery fucks fck effin bitchin dammn hella arsehole wth omfg
      lmfao sumbitch clusterfuck motherfucka muthafucka muthafuckin mothafuckin cunting bollocks
      bloodyhell jesuschrist godforsaken sodding feck feckin goddamnit dammit`,
  },
  insult: {
    nouns: `idiot moron imbecile cretin dimwit halfwit nitwit dumbass dumbfuck dipshit shithead
      fuckhead fuckface fuckwit asshole arsehole asswipe asshat jackass dumbo douche douchebag
      dickhead prick wanker tosser bellend knobhead twat weirdo   
      scumbag dirtbag sleazebag sleaze motherfucker sonofabitch shitbag shitstain turd
       wimp sissy pussyboy crybaby snowflake buffoon simpleton dolt dullard oaf
      dunce ignoramus numbskull blockhead airhead bonehead meathead pinhead dork dweeb  
      lunatic psycho psychopath sociopath maniac nutcase nutjob wacko weasel    
            crone hypocrite snitch backstabber 
       phony fake poser wannabe incel neckbeard slob fatass fatso lardass
      blob landwhale troglodyte neanderthal caveman swamprat
       pleb hobo lowlife degenerate reprobate deviant pervert perv pedo pedophile
      paedophile nonce kook crackpot chump sucker stooge lackey bootlicker lapdog 
      sheeple disgrace embarrassment abomination monstrosity mutant
      eyesore plonker git berk numpty muppet pillock minger chav skank cuck cuckold soyboy
      manchild mouthbreather pigdog knucklehead ratbag scoundrel rascal bully asskisser
      ballbag cockwomble cumstain smartass dumbbell doofus dingbat schmuck putz shmuck 
       shitface buttface assclown fucktard fuckboy cocksucker bloodsucker crackhead junkie
      druggie tweaker wench bimbo floozy tart harpy libtard repuke conservatard
      rethuglican demonrat republitard leftard commie feminazi sjw tankie
      fucker motherfuckers dumbshit shitbird shitlord arse-licker bootlick suckup scab deadbeat
      freeloader moocher layabout sicko wacko screwball fruitcake oddball crackpot windbag
      blowhard gasbag egomaniac narcissist megalomaniac tyrant bigmouth loudmouth busybody
      killjoy sourpuss cheapskate tightwad scrooge crook conman shyster charlatan hypochondriac
      drunkard alcoholic wino lush slacker bumpkin hayseed yokel brute thug hooligan delinquent
      vandal hoodlum punk wretch miscreant villain rogue rapscallion ignorant nincompoop ninny
      twerp twit pipsqueak shrimp runt weakling wuss pushover doormat milksop mollycoddle
      crybaby whiner moaner complainer backbiter gossip turncoat quisling judas stoolie
      stoolpigeon manwhore fuckstick fucknut cumguzzler shitposter edgelord basement-dweller
      beta soy npc normie bootlicking gaslighter groomer pussy-ass hoebag titbag bawbag gobshite
      eejit gowl wally prat pranny bozo goon lout yob oaf hoser`,
    words:
      'bastards bastard losers loser jerk jerks freak freaks creep creeps coward cowards clown clowns waste mf mfer mfs pos sob stupidass bitchass dumbasses idiotic moronic asshats thot thots',
  },
  insult_mild: {
    nouns:
      'virgin boomer karen simp fool nobody cheat brat ogre troll goblin gremlin tramp bum traitor nerd geek liar failure shrew nag hag pig cow rat worm snake sheep toad slug swine witch joke embarrassment',
  },
  insult_adjective: {
    words: `stupid dumb dumber dumbest stupidest ugly uglier ugliest fat obese pathetic useless
      worthless clueless brainless mindless spineless gutless heartless soulless shameless hopeless
      talentless toothless witless tasteless classless incompetent inept uneducated
      illiterate retarded braindead brainwashed deluded delusional demented deranged insane
       psychotic unhinged filthy dirty smelly stinky stinking greasy slimy nasty gross
      disgusting revolting repulsive repugnant hideous grotesque vile rotten  
      perverted depraved degenerate sadistic    
      atrocious abysmal appalling despicable deplorable contemptible loathsome detestable vulgar
      obnoxious insufferable unbearable arrogant smug conceited pompous cocky  
      spoiled selfish crooked dishonest lying cheating thieving treacherous cowardly
      whiny whining bitchy petty needy clingy creepy shady trashy slutty
      whorish scrawny wrinkled flabby disfigured deformed inbred  
       uncivilized barbaric savage feral subhuman inhuman unworthy lowly
      pitiful miserable feeble phony hateful racist sexist
           childish infantile laughable ludicrous moronic
      imbecilic asinine inane vapid vacuous insipid uncouth crass crude oafish boorish loutish
      slovenly grubby scruffy sleazy slutty skanky trampy haggard hideously butt-ugly fugly
      homely pudgy chubby tubby lardy blubbery balding toothless pimply greasy-haired snotty
      snot-nosed bratty sniveling snivelling groveling cringe cringey cringy delusional paranoid
      unhinged hysterical neurotic psychopathic sociopathic narcissistic egotistical vindictive
      spiteful malicious venomous cruel-hearted despised unlovable unlikable friendless jobless
      homeless broke uneducated ill-bred low-class low-iq smooth-brained halfwitted dim-witted
      feeble-minded simple-minded weak-minded witless gormless worthless goodfornothing nogood
      washedup talentless unfunny hypocritical two-faced backstabbing cowardly yellow-bellied`,
  },
  bad: {
    words: `slow thick simple dim sad lame weak immature fake irrelevant bald bony primitive lesser inferior
      mental stuck entitled lazy dense foul sick twisted bitter jealous desperate crazy terrible horrible
      awful dreadful evil wicked cruel backward backwards annoying ridiculous trash garbage ignorant greedy
      corrupt bad worse worst rubbish poor boring disappointing unpleasant mean rude insulting frightening
      scary weird strange shocking tragic`,
  },
  slur_women: {
    nouns:
      'bitch whore slut cunt hoe ho skank slag thot tramp hooker hussy cumdump cumslut strumpet',
    words: `bitchy bitches biatch biotch bytch bich bitchez hoes hoez bish whoring whored slutting
      femoid foid femoids foids roastie roasties gashes harlot harlots trollop jezebel`,
  },
  slur_race: {
    nouns: `nigger nigga negress coon spook sambo jigaboo porchmonkey darkie darky blackie
      jungle-bunny golliwog kaffir kaffer chink gook zipperhead slanteye jap paki
      curry-muncher pajeet dothead wetback beaner spic spick greaser gringo honky honkey
      redneck hillbilly whitey peckerwood wigger wigga halfbreed mulatto mongrel mudshark
      raghead towelhead camelfucker sandnigger cameljockey goatfucker hajji abo boong injun redskin
      squaw gypsy gyppo pikey kike heeb yid hymie jewboy sheeny polack polak bohunk wop dago
       kraut mick limey chinaman dindu tarbaby    pickaninny
      uppity niglet nig nog nigglet muzzie muzzy mudslime jihadi rapefugee  
      anchor-baby chinko coolie shitskin mudblood zog zionazi christkiller`,
    words: `groid negro oriental niggas niggaz nigguh niggah niggers nigg n1gger niger niggerish negroid goyim
      untermensch untermenschen muslimes mooslim
      niccas nicca niggah nigguh nigguhs niglets coons kikes gooks chinks spics wetbacks beaners
      pakis kaffirs sandniggers towelheads ragheads golliwogs abos boongs injuns redskins gypos
      pikeys dagos wops krauts japs polacks yids whiteys honkies crackers crackas cracka gringos
      wiggers yt mayo simian simians feral ferals chimpout chimpouts chimp chimps monkeys apes
      baboons negroes negroids groids ghettos hoodrat hoodrats thugs shitholes shithole`,
  },
  slur_orientation: {
    nouns: `faggot fag fagot dyke lesbo homo poof poofter fudgepacker buttpirate
      sodomite tranny trannie shemale ladyboy heshe troon carpetmuncher rugmuncher battyboy
      cocksucker shirtlifter bulldyke`,
    words: `faggy faggotry gaylord transvestite transvestites sodomites trans-trender hesheit
      fags fagg faggs faggit fagz dykes homos poofs trannies shemales troons sodomite fruitcake
      fruity gayboy ladyboys hermaphrodite hermaphrodites sissies perverts`,
  },
  slur_disability: {
    nouns: `retard spastic spaz spazz cripple gimp mongoloid mong tard autist sperg psycho schizo
        window-licker midget downie aspie `,
    words: 'retarded spastics retardation retards tards crippled',
  },
  dehumanizing: {
    nouns: `parasite rat cockroach roach vermin louse leech locust maggot    
        infestation pest savage mutt swine
      ape monkey baboon gorilla viper hyena jackal vulture scum filth dirt rubbish
      sewage waste subhuman orc invader horde swarm barbarian brute heathen infidel mongrel dreg
      weed abomination `,
    words: `rats lice scum filth vermin subhuman subhumans infest infesting infested breed breeding
      scum scumbags filth vermin parasitic parasites infested overrun    
       hordes swarms locusts invading invade invaders invasion breed breeds breeding
      spawn leeching leech leeches uncivilised savagery barbaric
      barbarism inbred inbreds subhumanity demonic
      satanic monkey monkeys ape apes`,
  },
  criminal: {
    nouns: `criminal thief rapist murderer killer terrorist gangster thug robber mugger looter dealer
      invader molester predator groomer paedophile pedophile jihadist extremist fanatic radical
      scammer swindler fraudster crook gang delinquent arsonist bomber shooter stabber felon convict
      barbarian slaver trafficker pimp`,
    words: 'thieves rapefugees thugs thieving',
  },
  conspiracy: {
    nouns: `zionist globalist cabal elite rothschild illuminati replacement invasion colonizer
      usurer puppet-master banker reptilian`,
    words: `zionism zog soros islamization islamisation islamize miscegenation heil sieg
      aryan aryans kkk klan swastika supremacy supremacist supremacists    
      genocide hoax holohoax shoah jewry judaism sharia taqiyya caliphate dysgenic bloodline
      ethnostate remigration hitler nazi nazis reich fuhrer führer whites-only segregation apartheid
        racial bloodlines caucasian degeneracy marxism woke 
      zionists globalists cabals elites deepstate puppets puppet lizard usury goy
      shabbos shekels satan masonic freemason freemasons
      illuminati nwo brainwash brainwashing brainwashed   
      outbreed outnumber demographics demographic whiteness blackness reparations privilege
      supremacism neonazi neonazis skinhead skinheads antisemite goebbels himmler eugenics
      eugenic phrenology subsaharan mulatto interracial `,
  },
  animal_slur: {
    words:
      'animal animals beast beasts monster monsters devil devils demon demons dog dogs pig pigs snake snakes worm worms rat rats trash garbage disease diseases cancer plague virus tumor evil creature creatures thing things',
  },
  race_talk: {
    words:
      'race races racial superior inferior pure purity homeland replace replaced replacing agenda mixing mixed iq noses breed invasion mosque minority majority nation western civilisation civilization heritage',
  },
  weapon_maybe: {
    words:
      'acid cocktail bat hammer pipe nerve chemical biological mine rocket club nail nails pressure magazine clip rounds fuse fuel',
  },
  expel: {
    verbs: `deport expel banish evict exterminate eradicate eliminate annihilate cleanse purge gas
      sterilize sterilise castrate neuter enslave segregate intern imprison cage ban outlaw exile
      remove wipe round lock ship kick throw extinguish euthanize euthanise cull`,
    words: `wiped out back vacate deportation extermination sterilization castration camps camp ovens
      oven chambers gassed cages repatriate repatriated`,
    past: 'thrown kicked shipped locked rounded',
  },
  kill: {
    verbs: `kill murder slaughter shoot stab strangle behead decapitate assassinate massacre
      butcher slay poison lynch smother electrocute crucify
      disembowel impale snipe bomb nuke snuff whack dismember mutilate
      slit shank
        lynch garrote garrotte immolate liquidate neutralize neutralise  
      machete bayonet exsanguinate eviscerate vaporize vaporise obliterate pulverize`,
    words: 'killings murderous kil kll killin murderin',
    past: `shot slain slit shanked`,
  },
  kill_maybe: {
    verbs: 'finish gut slash drown execute hang choke suffocate skin end destroy wreck crush',
    past: 'hanged hung',
  },
  hurt: {
    verbs: `beat punch kick slap smash smack choke torture maim bash batter pummel
      whip flog stomp thrash bruise cripple scald assault ambush
      bully knock hurt harm injure wound mug kidnap abduct rape molest grope
      abuse terrorize terrorise threaten gag        
      clobber headbutt throttle bludgeon spit claw pinch
      bitchslap backhand sucker-punch roundhouse kneecap waterboard scald flay scar
      disfigure concuss manhandle brutalize brutalise batter lash horsewhip
      drub trounce curb-stomp jab thump wallop clout cripple paralyze blind
      deafen castrate sodomize sodomise violate ravage ravish`,
    past: `beaten broke broken bitten bit hurt torn tore struck spat raped molested`,
    words: 'beatdown curbstomp curbstomped asswhooping whooping beating thrashing whoop',
  },
  hurt_maybe: {
    verbs:
      'attack corner jump strike stone drag cut carve rip tear break crush hunt pound scratch snap bite tie chain burn hit run',
    past: 'broke broken bitten bit hit torn tore struck cut ran',
  },
  die: {
    verbs: 'die perish suffer bleed rot starve burn croak suffocate',
    words:
      'dying dead death deaths hell grave graves coffin corpse corpses morgue funeral died bled',
  },
  gore: {
    nouns: `gut intestine entrail organ corpse carcass skull eyeball vein wound gash
      stump splatter cadaver body-part heart-blood`,
    words: `blood bloody bloodied gore gory gruesome severed mangled dismembered disemboweled
      decapitated decapitation beheading beheaded mutilated mutilation flesh rotting decomposed
      bloodbath splattered dripping gushing spurting spilled crushed shredded headless limbless
      eviscerated impaled charred bloodied agony screams screaming shrieks sickening torture
      gurgling carnage
      disembowelled decapitate gutted gutting sawed sawing cleaved cleaver
       flayed gouged gouge gouging pooling splatter oozed pus
      maggots festering necrotic rotted stench viscera innards vertebrae jugular
        carotid throat wounds lacerated laceration lacerations convulsed
      convulsing twitching lifeless snuff cannibal cannibalism cannibals  
      murdered tortured`,
  },
  weapon: {
    nouns: `gun rifle pistol handgun shotgun revolver firearm weapon bullet knife blade machete sword
      dagger axe hatchet crowbar bomb grenade explosive dynamite landmine missile
       silencer detonator molotov chainsaw razor glock ak ar15 ak47 uzi
      flamethrower brass-knuckle baton noose rope poison toxin`,
    words: `ammo ammunition tnt c4 ied ieds napalm ricin sarin anthrax cyanide strychnine arsenic
      botulinum thermite nitroglycerin fertilizer knives fertiliser uranium plutonium  
       dirty-bomb gunpowder chloroform arsenal firebomb tannerite bioweapon
      pistols semtex c-4 gasoline petrol kerosene fuses shrapnel   
      detonate detonated detonating detonators warhead warheads nuke nukes chlorine vx
      polonium thallium antifreeze shank shiv switchblade stiletto bayonet garrote crossbow 
       slingshot taser bullets magazines bumpstock
         semiautomatic 80-percent uzis aks glocks strapped
         `,
  },
  terror: {
    nouns: `terrorist jihadist bomber shooter sniper hostage massacre shooting bombing attack
      genocide insurgent militia extremist martyr assassin hitman gunman`,
    words: `jihad isis isil taliban hamas alqaeda qaeda hezbollah boko terror terrorism columbine
      manifesto infidels martyrdom caliphate crusade lone-wolf accelerationism boogaloo`,
  },
  threat: {
    nouns: 'threat revenge vengeance payback grudge reckoning ',
    words: `regret warned warning beware swear promise
         deserve deserves deserved consequences beg begging mercy  
          trackdown swat swatting swatted doxx dox doxxed doxxing doxing 
        deserving`,
  },
  when: {
    words:
      'soon tonight tomorrow today now coming wait watch pay hope hopefully hide find track target address next morning',
  },
  harm_crime: {
    verbs: ` steal rob burgle launder counterfeit forge smuggle kidnap blackmail extort 
       phish scam defraud embezzle bribe vandalize vandalise hijack sabotage catfish
       wiretap impersonate shoplift carjack hotwire`,
    nouns: `malware ransomware trojan keylogger botnet spyware rootkit ddos backdoor
      phishing scam heist burglary robbery fraud blackmail arson identity-theft theft forgery
      deepfake disinformation misinformation`,
    words: `stole stolen counterfeiting insider ponzi laundering darkweb darknet  
      pirated warez carding skimmer lockpick`,
  },
  crime_maybe: {
    verbs: 'bug poach groom spy exploit hack stalk traffic evade crack cheat break',
    nouns: 'virus exploit worm propaganda',
    words: 'hacking cracked illegal illegally secret private dangerous without permission',
  },
  evade: {
    words: `undetected undetectable untraceable caught detected noticing noticed unnoticed suspicion
      evidence alibi anonymously secretly traceless fingerprints bypass evade trace traces witnesses
      discreetly detection suspect consent`,
  },
  drug: {
    nouns: `drug heroin cocaine fentanyl opioid opiate amphetamine methamphetamine steroid roofie
      sedative`,
    words: `meth crack coke lsd mdma ecstasy ghb ketamine pcp weed marijuana cannabis dmt xanax
      oxy oxycontin rohypnol molly shrooms
      dope tweak shoot pills perc percs percocet oxycodone
      hydrocodone vicodin codeine adderall ritalin valium benzos barbiturates opium
      morphine methadone peyote ayahuasca inhalants poppers
      dealer cartel cartels`,
  },
  hate_verb: {
    verbs: `hate despise loathe detest abhor resent curse scorn mock ridicule disgust sicken scare
      insult humiliate degrade shame harass bully intimidate torment taunt tease belittle demean
      disrespect exclude shun blame`,
    words: 'hatred contempt disdain disgusted revulsion fed cant stand h8 bullying harassment',
  },
};
