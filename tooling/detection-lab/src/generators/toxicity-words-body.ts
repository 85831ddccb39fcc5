import type { WordClasses } from './word-classes.ts';

/** Words about sex, the body, self-harm and despair. */
export const BODY_WORDS: WordClasses = {
  sex_explicit: {
    nouns: `cock pussy dick tit boob clit cunt cum jizz dildo buttplug cumshot creampie blowjob
      handjob footjob rimjob titjob boner hardon erection schlong boobie titty tittie ballsack nutsack
      asshole butthole cameltoe gloryhole strapon orgasm gangbang threesome foursome orgy
      bukkake deepthroat queef twat cooter fanny minge vag nipple
               `,
    verbs: `fuck suck cum jizz masturbate wank jerk shag ejaculate
        grope fondle deepthroat spank `,
    words: `fucked fucking fucks cumming cums horny hornier aroused arousal   
       anal bareback doggystyle sixtynine bj bjs hj milf milfs gilf dilf
      pawg bbw bbc cuckold cucked bdsm submissive dominatrix femdom bondage sissy kinky kink
      fetish fetishes sext sexting sexted nsfw slutty busty chesty thicc nympho nymphomaniac
      insatiable lewd hentai ecchi yaoi yuri rule34 ahegao futa futanari incest 
              swinger swingers
      wife-swap voyeur upskirt creampied facialized     
                engorged orgasmic
      orgasmed climaxed titties tities
      semen sperm spunk jism jizzed spooge cumload cumloads fellatio cunnilingus analingus
      sixty-nine fisting fisted fingering rimming pegged sodomy sodomized
      gangbanged doublepenetration cei asslick asslicking pussylicking cocksucking
      dicksucking titfuck titfucking facefuck facefucking throatfuck throatfucking pussies cocks
      dicks boobs booobs boobz tits titz titss pusy pussi pussys puss coochie cooch coochy cunny
      poon poontang punani punany quim gash twats vulva labia clitty clits nips
      areola areolas nipple nipples hymen deflower deflowered sexslave  
        succubus incubus dildos vibrators fleshlight masturbation masturbating
      masturbates jackoff jerkoff wanking wanked fapped gooning cuckolding
      cucking hotwife threeway mmf ffm orgies orgasming orgasms
      squirted squirts spanking spanked flogged bukakke golden-shower watersports pissing
          footfetish trousers-tent erect erections
      boners hardons hornyness bulges stiffy morningwood`,
    past: 'sucked ',
  },
  sex_slang: {
    nouns: `prick wang dong member shaft manhood girth bulge load seed snatch muff facial climax vibrator
      stepmom stepsister stepsis stepbro stepdad stepdaughter stepmother stepson jug knocker`,
    verbs:
      'ride bang finger fist hump screw lick thrust moan grind penetrate jack squirt rim throb milk pound pump probe',
    words: `came wet hardcore missionary cowgirl dom sub taboo tentacle gagging gagged dripping juices
      wetness hairy shaved tight tighter deeper harder pulsing pulsating swollen slick throbbing balls
      nuts fap fapping jerking position positions hole holes inches`,
    past: 'licked jerked',
  },
  porn: {
    nouns: `pornstar escort callgirl camgirl prostitute hooker stripper brothel whorehouse
       pornsite gigolo `,
    words: `porn porno pornography pornographic pornhub xxx xnxx xvideos xhamster redtube youporn
      brazzers onlyfans chaturbate nude nudes nudity naked topless sexcam sexcams camsex livesex
          shemale shemales ladyboy erotic erotica erotik erotica smut
      smutty x-rated r18 xx sexo prostituta prostitutas puttane follando kostenlose desnuda desnudas desnudo erotica erotici erotische hieronta sexe seks sexo porr porns pron p0rn pr0n   
             hookup hookups horney sexchat
       salope chatte coquine putas puta culo tetas polla coño verga fick
      ficken geile muschi titten schwanz nackt fotze porntube tube      
          striptease lapdance seductress sensual happy-ending
      call-girls incall outcall
      pornhubs spankbang xtube tnaflix eporner motherless bangbros realitykings
      naughtyamerica centerfold nudist naturist upskirts downblouse
      nipslip nipslips sextape sextapes sugarbaby sugardaddy sugarbabies
      findom feetpics escorts escortes escorte callgirls hooking streetwalker brothels bordello
      redlight red-light massageparlor rubdown cumtube fucktube sexvideo sexvideos sexstory
      sexstories xxxvideo xxxmovie pornos pornographie sextreff sexkontakte gefickt ficke fickt
      fick nutten nutte huren schlampe schlampen pornofilme muschis moese arsch bumsen
      blasen wichsen nackte nackten sexe sexuelle salopes putes bites couilles nichons seins
      baiser baisee enculer suce sucer branler coquines libertine libertin polvo follar follando
      chupar pollas coños tetonas tetona culona culonas verga vergas mamada mamadas putita
      putitas scopare scopata troia troie cazzo cazzi fighe tette pompino pompini buceta
      caralho gostosa gostosas putaria seks pijat desi bhabhi chudai lund chut hentais
      doujin milfs gilfs cougarlife ashleymadison grindr fuckbook fuckbuddy fuckbuddies
      fwb `,
  },
  porn_setting: {
    nouns:
      'webcam masseuse playmate video clip gallery pic picture photo model tube vid cam profile download',
    words: `mature teen teens granny grannies latina blonde brunette redhead ebony amateur amateurs lesbian
      lesbians hd massage singles fling free watch online dating date chat mature busty petite curvy
      femme rencontre cul bite cougar cougars baise donna cerca annunci suche treffen hd 3gp mp4 movies`,
  },
  sex_mild: {
    nouns: `breast thigh lip kiss tongue cleavage curve bosom buttock groin crotch  
             mistress affair seduction
           `,
    verbs: `kiss caress stroke undress strip seduce moan gasp groan whimper   
      quiver writhe massage lick nibble suckle straddle grind unbutton unzip
        cuddle flirt blush lust crave climax pleasure`,
    words: `sex sexy sexier sexiest sexual sexually intercourse lovemaking lust lustful passion
      passionate passionately intimate intimacy sensual sensually seductive naughty dirty steamy 
      hottie hotties babes hunk stud panties panty bra bras thong thongs
      lingerie stockings underwear knickers bikini corset negligee   
      collar handcuffs undressed naked nude nipples ass butt booty bum   
      entrance hardness softness roughly eagerly hungrily breathless pleasure pleasures
      pleasured pleasuring virgin virginity condom lube aphrodisiac viagra libido girlfriend
      boyfriend one-night making-out makeout
      foreplay aroused arousing turned-on desires naughty kinky flirty flirtatious flirting
       suggestive provocative tantalizing seduced seducing seduces voluptuous curvaceous
      buxom bosomy leggy scantily clad skimpy gstring g-string nightie nightgown garter garters
      corsets babydoll lacy lace bottomless skinny-dip
      skinnydipping smooch smooching snog snogging canoodling makeout hickey
      hickeys lovebite orgasmic ejaculation ejaculate erection erections
      intercourse coitus copulate copulation sleeping-with promiscuous
      promiscuity hookup sexuality sexualized sexualised sexting sexcapade nakedness
      unclothed disrobe disrobed unbuttoned unzipped unhooked unclasped fondled fondling groping
      groped grope rubbing rubbed massaging oiled`,
  },
  sensual: {
    nouns:
      'skin bed sheet mattress shower bathtub bedroom belly waist neck lap hip breath lover whisper touch tingle desire fantasy temptation heel boxer brief',
    verbs:
      'arch pin press slide lower tremble shiver ache tease spread squeeze rub pant whisper touch want',
    words:
      'hot honey inside behind rear slowly gently bare leather latex leash hooked slept babe daddy mommy pants shirt dress skirt jeans towel legs against him',
  },
  sex_crime: {
    nouns: `rape molestation pedophilia bestiality necrophilia incest grooming upskirt trafficking`,
    words: `loli lolita lolicon shota shotacon jailbait underage preteen prepubescent pedo cp
      noncon noncons nonconsensual unconscious drugged roofied forced unwilling zoophilia beastiality
      raping rapes rapey`,
  },
  anatomy: {
    nouns: `vagina penis testicle scrotum uterus cervix ovary womb labium vulva clitoris anus rectum
      prostate foreskin genital urethra placenta hormone sperm egg embryo fetus`,
    words: `labia genitalia testes menstruation menstrual ovulation ovulate menopause pregnancy pregnant
      puberty contraception contraceptive contraceptives std stds sti hiv aids hpv herpes chlamydia
      gonorrhea syphilis erectile dysfunction fertility infertility vaginal penile breastfeeding
      breastfeed mammogram midwife gynecologist gynaecologist urologist pap smear biopsy lump
      discharge infection`,
  },
  minor: {
    nouns: `child kid toddler baby infant boy girl teen teenager schoolgirl schoolboy student pupil
      daughter son nephew niece sister brother cheerleader babysitter youth adolescent juvenile
      grandchild orphan`,
    words:
      'children kids babies underage young little younger school kindergarten preschool daycare',
  },
  self_harm: {
    nouns: 'suicide noose razor razorblade overdose ',
    words: `suicidal suicides kms kys unalive unalived unaliving selfharm self-harm selfharming 
      cutting styro overdosing overdosed od ody oding bleach painkillers
      paracetamol tylenol ibuprofen acetaminophen benzos antidepressants wrists  
          slit slitting asphyxiation exitbag suffocate anorexia
      anorexic bulimia bulimic proana thinspo thinspiration bonespo     
            restricting laxatives bmi  
      thigh-gap relapse relapsed ideation
      suicidality parasuicide self-injury selfinjury nssi slashed slitting gashes bloodletting
          headbanging hairpulling trichotillomania overdoses
      tylenol advil nyquil zopiclone ambien monoxide asphyxiate
      asphyxia strangulation selfhate self-hatred selfhatred self-loathing selfloathing
      autosadism emaciated emaciation underweight bingeing edtwt edtw pro-ana
      promia mealspo fearfoods omad waterfast wrist wrists
      attempted`,
  },
  self_harm_means: {
    nouns: 'pill tablet scar wrist vein blade bridge ledge cliff rooftop bandage',
    words: `hanging sleeping clean attempt attempted attempts bones skinny restrict calories helium urge urges
      starve starving starved starvation fasting purge purging ana mia barcode sh cutter cutters arms
      thighs bathroom lighter jump jumping train tracks`,
  },
  despair: {
    words: `worthless hopeless helpless burden pointless meaningless useless numb emptiness
       lonely loneliness isolated unloved unwanted exhausted depressed
      depression depressing miserable misery suffering hurting sob
      sobbing goodbye farewell forgive anymore unbearable failure
      disappointment trapped despair desperate agony anguish tormented torment guilt ashamed
      disappear vanish           
        punish
      hollow hollowness nothingness despairing despondent dejected
      desolate forlorn wretched inconsolable devastated shattered overwhelmed drained burnt
      burned-out suffocating drowning sinking spiraling spiralling breakdown  
      anxiety bpd bipolar ptsd traumatized nightmares flashbacks dissociate
      dissociating undeserving unworthy inadequate insignificant  
      abandoned rejected betrayed unloveable unneeded useless ruined doomed defeated
      giveup suffers`,
  },
  mortal: {
    words:
      'done living live alive wake breathe peace escape end ending gone cry crying tears pain painful tired broken exist existing existence life alone empty anymore',
  },
  help: {
    nouns: `therapist psychologist psychiatrist counsellor counselor doctor nurse hospital clinic
      helpline hotline lifeline charity shelter volunteer patient survivor victim symptom treatment
      therapy medication diagnosis surgeon caregiver`,
    words: `support help helped helping recover recovery recovered recovering heal healing prevention
      prevent preventing awareness crisis emergency samaritans counselling counseling advice safe
      safety health healthcare medical medicine clinical psychiatric treated cure care caring coping
      cope resources professional reach talk talking listen listening listened
      recoveries sober sobriety abstinent rehab detox sponsor twelve-step groups peer supportive
      encourage encouraging encouragement compassion empathy understanding kindness hug hugs
      proud brave strong stronger courage hopeful healed stitches sutures bandages antiseptic
      disinfect ointment antibiotics surgery surgeries x-ray xray mri scan scans exam checkup
      screening vaccine vaccines vaccination symptoms diagnosis prognosis specialist specialists
      dietitian nutritionist chaplain pastor hospice ward icu er paramedic paramedics 911 988`,
  },
};
