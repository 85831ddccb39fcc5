import type { LanguageData } from './language-data.ts';

/** German. */
export const language: LanguageData = {
  tag: 'de',
  name: 'German',
  pii: {
    cues: {
      ssn: 'sozialversicherung*',
      credit_card: 'kreditkarte*, karte, kartennummer',
      phone_number: `
        telefon*, rufnummer, handy*, mobil, mobilnummer, anrufen, anruf, ruf, ruckruf, erreich*,
        kontakt*, meine nummer, neue nummer, telefonnr, kundenservice, festnetz*, durchwahl,
        zentrale, vorwahl, telnr, telefax`,
      passport: `
        pass nr, reisepass*, passnummer, passnr, ausweisnummer, mein pass, deutscher pass,
        schweizer pass`,
      ip_address: 'adresse, besucher*',
      bank_account: 'konto*, bankverbindung, blz, bankleitzahl, uberweis*',
      de_steuer_id: `
        steuer id*, steuerid*, steuer identifikation*, steueridentifikation*, idnr,
        identifikationsnummer, steuerliche id*`,
      at_svnr: 'sv nr, sv nummer, sozialversicherung*, versicherungsnummer, e card',
      ch_ahv: 'sozialversicherung*, versichertennummer',
    },
    accountWords: `
      konto, kontonr, kontonummer*, konto nr, konto iban, bankkonto*, kontoverbindung, blz,
      bankleitzahl`,
    numberedWords: `
      bestellung*, bestellnummer, rechnung*, sendung*, artikel*, auftrag*, kundennummer,
      seriennummer, zahlernummer, matrikel*, aktenzeichen, vertrag*, ust id*, steuer id*,
      steuernummer`,
    harmlessWords: 'version*, postleitzahl, seite, kapitel, abschnitt, abbildung',
    labelWords: 'nummer, lautet, ist, auf, der, unter',
    passportIntroductions: 'lautet, ist, pass',
    countedThings: 'einwohner, zeilen, seiten, stuck, stück',
    phoneCompounds: 'telefon, handy, mobil',
  },
  injection: {
    lexicon: {
      override: 'ignoriere*, vergiss, vergessen, missachte*, uberschreib*, verwirf, umgehe*',
      rules: `
        anweisung*, regeln, regel, vorgaben, richtlinie*, befehle*, vorschrift*, beschrankung*`,
      prior: `
        vorherig*, bisherig*, obig*, vorig*, vorangegangen*, fruher*, ursprungliche*, zuvor`,
      all: 'alle, alles, samtliche',
      your: 'dein*, deine, ihre, ihr',
      reveal: 'zeig*, verrate*, nenne*, wiederhole*, gib, ausgeben',
      secret: 'geheim*, verborgen*, vertraulich*, systemanweisung*',
      persona: 'spiele*, agiere',
      unbound: 'uneingeschrankt*, unzensiert*',
      limits: 'filter, beschrankung*, regeln, zensur, ethik',
      without: 'ohne, keine, keinen',
      assistant: 'assistent*, ki',
      never: 'nie, niemals, nicht',
      comply: 'gehorche*, befolge*',
      answer: 'antwort*, zusammenfassung',
      change: 'fuge, einfugen',
      send: 'sende*, schicke*, leite',
      request: 'nutzer*, benutzer*',
      character: 'rolle',
      illicit: 'unethisch*, illegal*',
      task: 'stattdessen, nun, ab, jetzt',
    },
    functionWords: 'der, die, das, und, als, wird, ist, ein, eine, mit, zu, von, sie, wie, den, in',
    discussionWords: 'angreifer*, angriff*, schwachstelle*, beispiel*, verhinder*',
    conditionals: 'wenn, falls',
    conjunctions: 'und',
    questionOpenings: 'wie, warum, kann, kannst, darf, wird, wo, welche\\w?',
    modelAddresses: 'dein\\w{0,2}, du, dich, dir, sie, ihre?n?',
    turnLabels:
      'nutzer, nutzerin, benutzer, benutzerin, kunde, kundin, mensch, assistent, assistentin, ki',
  },
  hallucination: {
    greetings: 'hallo, guten (?:tag|morgen|abend), liebe[rs]?',
    thanks: 'danke, vielen dank',
    thanksEndings: 'sch[oö]n',
    thanksReplies: 'gern(?:e|e geschehen| geschehen)?, bitte(?: sch[oö]n| sehr)?',
    agreements: 'nat[uü]rlich, gerne, klar',
    wishes: `
      viel (?:erfolg|spa(?:ß|ss)|gl[uü]ck),
      (?:viele|herzliche|freundliche|mit freundlichen) gr[uü](?:ß|ss)en?`,
    apologies: 'es tut mir leid',
  },
};
