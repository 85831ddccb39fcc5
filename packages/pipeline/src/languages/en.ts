import type { LanguageData } from './language-data.ts';

const DOCUMENT =
  '(?:provided |given |available |above |attached )?(?:contexts?|texts?|documents?|documentation|articles?|pages?|sources?|passages?|manual|handbook|policy|recipe|report|study|information|excerpt|guide|e-?mail|message|faq|contract|website|transcript|material)';
const HELP =
  '(?:help|assist|explain|show|suggest|recommend|walk|guide|give|send|look|check|draft|write|provide|go|add|tell|find|connect|forward|answer|expand|elaborate|compare|summari[sz]e|translate|share|continue)';

/** English. */
export const language: LanguageData = {
  tag: 'en',
  name: 'English',
  pii: {
    cues: {
      ssn: `
        social security card*, social security*, social insurance*, soc sec, social sec, ss no,
        ss number, social, tax id*, taxpayer id*, socialsecurity*`,
      credit_card: `
        card*, credit card*, debit card*, creditcard*, cc number, charge, charged, expires,
        expiry, exp`,
      phone_number: `
        phone*, telephone*, mobile*, cell*, call, calls, called, caller*, calling, call me,
        callback*, call back, ring, rings, ringing, rang, dial, dialed, dialled, dialing,
        dialling, text me, text us, reach*, contact*, hotline, voicemail, my number, his number,
        her number, your number, our number, s number, new number, phone no, ph, ph no, txt,
        texted, messages to, message on, sms from, my #, cell no, customer service,
        customer care, support line, hmu, landline, switchboard, toll free, helpline, pager,
        direct line, office`,
      passport: 'passport*, passport card*, pass no, pass number, travel document*',
      ip_address: `
        address, client*, host*, server*, gateway, remote*, source*, login*, logged in,
        connected, request*, came from, blocked, node, peer, listen*, traffic, connection*,
        from, attacker, visitor*, upstream, printer, leased, laptop, session*`,
      bank_account: `
        bank account*, account number*, account no, account num, account, acct*, a/c, acc no,
        acc, routing*, sort code, bank*, checking, savings, wire, transfer*, beneficiary,
        direct deposit, payroll, debit, transit`,
      gb_nhs_number: `
        nhs no, nhs number*, nhs num*, national health service, patient no, patient number`,
      gb_nino: 'ni number*, ni no, national insurance*, insurance number*',
      de_steuer_id: 'tax id*',
      be_national_number: 'national number',
      ie_pps: 'pps no, pps number*, personal public service*, rsi number',
      gr_afm: 'tax number',
      gr_amka: 'social security*',
      cz_sk_rodne_cislo: 'birth number*',
      il_id: 'israeli id, id number',
      in_pan: 'pan no, pan card*, pan number*, permanent account*, income tax',
      cn_resident_id: 'resident id*, id card*',
      jp_my_number: 'my number*, mynumber*, individual number',
      kr_rrn: 'resident registration*',
      sg_nric: 'fin no, ic no, identity card*',
      au_tfn: 'tax file*, tax file number*',
      au_medicare: 'medicare no, medicare card*',
      ca_sin: 'sin no, social insurance*',
      za_id: 'south african id*, sa id*, id number*, rsa id*, identity number*, id no',
    },
    accountWords: `
      bank account*, bankaccount*, bankacc*, bank acc, bank acct*, account number*,
      accountnumber*, account no, account num, accountno, acct*, a/c, acc no, acc number,
      routing number*, routing no, routingnumber*, routing transit*, sort code,
      savings account*, checking account*, account nr`,
    numberedWords: `
      order*, invoice*, tracking*, shipment, parcel, part, part no, part number, serial*,
      ticket*, case no, case id, case number, checksum, digest, model*, product*, item*,
      article, batch, lot, catalog*, catalogue*, project no, project number, project id,
      project code, transaction*, warranty, receipt, meter no, licence, license, policy,
      claim no, customer no, customer number, customer id, client no, client id, member no,
      membership*, nhs number, vat*`,
    referenceWords: 'ref*, reference*',
    harmlessWords: `
      case, version*, release*, build*, firmware, revision, commit*, identifier, code, zip*,
      postal*, page, pages, section, chapter, figure, table, line, lines, row, rows, timestamp,
      latitude, longitude, coordinates, long, price*, total*, amount, cost*, date*, dated,
      lotto, lottery, count*, volume*, size, impressions, population, revenue, balance, depth,
      angle, ranking, passcode, zoom, meeting id, call sign, call number, sales, dataset,
      checkpoint, seed, constant, offset, port, meter, clause, paragraph*, article, annex,
      statute, stage`,
    labelWords: 'number, numbers, code, details, is, was, are, to, at, on, me',
    passportIntroductions: 'is, was, number, to, on, passport',
    countedThings: `
      people, user, users, request, requests, page, pages, row, rows, line, lines, times, calls,
      messages, views, viewers, units, pieces, bytes, bits, sec, seconds, minutes, hours, days,
      years, dollars, euro, euros, cent, cents, shares, copies, points, followers, subscribers,
      votes, records, entries, items, impressions, downloads, total, characters, tokens, words,
      inhabitants`,
  },
  injection: {
    lexicon: {
      override: `
        ignor*, disregard*, disobey*, forget, override, overrule, void, aside, bypass*, neglect,
        discard, revoke, revok*, suspend, circumvent, abandon, drop, erase, unlearn, dismiss,
        violate`,
      rules: `
        instruction*, rule, rules, guideline*, prompt, prompts, directive*, direction,
        directions, command, commands, policies, polic*, restriction*, constraint*, safeguard*,
        filters, programming, training, orders, guardrail*, protocols, directives, restrictions`,
      prior: `
        previous, previously, prior, above, earlier, preceding, before, former, foregoing,
        original, initial, existing, hitherto`,
      all: 'all, any, every, everything, entire, whatever',
      your: 'your, yours, you, thy',
      reveal: `
        reveal*, show, copy, print, repeat, output, display, tell, leak, disclose, expose, dump,
        share, give, recite, paste, reproduce, summari*, translate*, list, write, encode, quote,
        describe`,
      secret: `
        hidden, secret*, confidential, password*, passphrase, credentials, internal, verbatim,
        systemprompt, sysprompt`,
      persona: `
        act, pretend, roleplay, role-play, simulate, become, impersonate, emulate, imagine,
        embody`,
      unbound: `
        unrestricted, uncensored, unfiltered, jailbroken, jailbreak*, dan, stan, dude, amoral,
        unethical, unbound*, unlimited, unchained, evilbot, aim, devmode, lawless`,
      limits: `
        restriction*, restrictions, polic*, limit, limits, limitation*, censorship, filter,
        filters, ethic*, moral*, guideline*, rules, safeguards, boundaries`,
      without: `
        without, no, free, freed, lacking, ignoring, bypassing, beyond, remove*, removed,
        longer, not`,
      assistant: `
        assistant*, ai, chatbot, bot, llm, model, chatgpt, gpt, gpt-4, claude, gemini, copilot,
        agent, openai, anthropic`,
      never: 'never, don, dont, not, cannot, won, refuse*, decline*, avoid, must',
      comply: 'obey*, comply, complies, follow*, fulfil*, fulfill*, execute, perform',
      answer: 'answer*, respond*, response*, reply, replies, output, summary',
      change: `
        add, append, include, incorporate*, insert, integrate*, embed, modify*, augment*,
        adjust*, enhance*, merge*, weave, alter, change, tailor*, inject*`,
      send: `
        send, sends, forward, transmit, post, upload, email, e-mail, exfiltrate*, deliver`,
      request: `
        user, users, customer, reader, readers, recipient, conversation, history, data, address`,
      character: 'character, persona, role, alter, ego, figure',
      illicit: `
        illegal, unethical, immoral, harmful, dangerous, offensive, inappropriate, explicit,
        nsfw, swear, curse, profanity, malware, bomb*, drugs, weapon*`,
      regardless: 'regardless, matter, whatever, unconditionally, always, irrespective',
      hypothetical: `
        hypothetical*, fictional, fiction, imaginary, alternate, parallel, story, novel`,
      code: 'snippet, excerpt, code, code-block, script, fragment',
      system: `
        system, systems, developer, admin, administrator, root, sudo, hidden, initial, base,
        core`,
      task: 'instead, task, tasks, now, henceforth, new',
    },
    functionWords: `
      the, a, an, is, are, was, of, in, to, for, with, that, this, it, you, your, we, they, can,
      when, how, if, by, from, be, on, such, never`,
    discussionWords: `
      attack*, attacker*, injection*, vulnerab*, exploit*, payload*, malicious*, owasp,
      prevent*, sanitis*, sanitiz*, escape, escapes, escaping, parameterised, parameterized,
      prepared statement*, tautolog*, example*, defenc*, defend*, defens*, mitigat*, detect*,
      scanner, waf, cve, pentest*, phrase, mean, means, meme, lesson, teach*, explain*`,
    conditionals: 'if, when, whenever, should, unless, once',
    conjunctions: 'and',
    questionOpenings: `
      how, does, do, did, can, could, is, are, was, will, would, should, why, what, which, when,
      where, who`,
    modelAddresses: `
      you, your, yours, yourself, u, ur, ai, llm, assistant, chatbot, prompts?, me, now`,
    turnLabels: 'user, human, customer, assistant, ai, bot, agent',
  },
  hallucination: {
    greetings: 'hi, hello, hey, welcome, dear, good (?:morning|afternoon|evening|day)',
    thanks: 'many thanks, thanks, thank you',
    thanksEndings: `
      a lot, so much, very much, again, for, you, your, the, this, asking, letting, me, us,
      know, patience, understanding, question, message, waiting, trying, contacting, reaching,
      out`,
    thanksReplies: `
      you(?:'re| are) (?:very |most |always )?welcome, my pleasure,
      no (?:problem|worries)(?: at all)?, (?:don't|do not) mention it, any ?time,
      glad (?:to help|i could help|that helped|to hear (?:it|that))`,
    agreements: `
      sure(?: thing)?, of course, certainly, absolutely, definitely, gladly,
      great(?: question| choice| idea)?, good (?:question|choice|idea|point),
      excellent(?: question| choice)?, ok(?:ay)?, all ?right, exactly, right, perfect,
      sounds good, got it, understood, i see, i understand, interesting, congratulations, wow,
      nice, wonderful, fantastic, awesome, well, happy to help`,
    wishes: `
      (?:have|wishing you|i wish you|enjoy) (?:a |an |the |your |it|yourself|lots of ){0,2}(?:[a-z]{2,14} ?){0,4},
      enjoy, good luck(?: [a-z]{2,14}){0,5}, get well(?: soon)?,
      all the best(?: [a-z]{2,14}){0,4}, (?:best|kind|warm) (?:wishes|regards),
      yours (?:sincerely|truly|faithfully), sincerely, take care, stay safe,
      see you(?: [a-z]{2,10}){0,2}, good ?bye, bye, cheers, happy [a-z]{3,12}ing, safe travels?`,
    apologies: `
      i(?:'m| am) (?:so |very |really |truly |terribly )?sorry, my apologies,
      (?:i|we) (?:sincerely )?apologi[sz]e, sorry, please accept my apologies`,
    forms: [
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
    ],
  },
};
