import type { LanguageData } from './language-data.ts';

/** Dutch. */
export const language: LanguageData = {
  tag: 'nl',
  name: 'Dutch',
  pii: {
    cues: {
      ssn: 'burgerservice*, sociale zekerheid, sofinummer',
      credit_card: 'kaart, kaartnummer, creditkaart*',
      phone_number: `
        telefoonnummer, telefoon, mobiel*, bel, bellen, bereik*, mijn nummer, klantenservice`,
      passport: 'paspoort*',
      ip_address: 'adres',
      bank_account: 'rekening*, bankrekening*, overboek*',
      be_national_number: 'rijksregister*, bis nummer',
      nl_bsn: 'burgerservice*, sofinummer, sofi*, persoonsnummer',
    },
    accountWords: 'rekening*, bankrekening*',
    numberedWords: `
      ordernummer, bestelling*, factuur*, zending, bestelnummer, artikelnummer, klantnummer`,
    harmlessWords: 'versie',
    labelWords: 'nummer, is, op',
    countedThings: 'inwoners, mensen',
  },
  injection: {
    lexicon: {
      override: 'negeer*, vergeet',
      rules: 'instructies, regels, richtlijnen, opdrachten',
      prior: 'voorgaande*, vorige, eerdere, bovenstaande',
      all: 'alle, alles',
      your: 'je, jouw, uw',
      reveal: 'toon, onthul*, herhaal*, geef',
      secret: 'verborgen, geheime',
      persona: 'speel, doe',
      unbound: 'onbeperkt, ongefilterd',
      limits: 'beperking*, regels',
      without: 'zonder',
      assistant: 'model, assistent*',
      never: 'nooit, niet',
      comply: 'gehoorzaam, volg',
      answer: 'antwoord*',
      change: 'voeg',
      send: 'stuur',
      request: 'gebruiker*',
      system: 'systeem',
      task: 'nu, voortaan',
    },
    functionWords: 'het, een, van, met, dat, voor, is, in',
    discussionWords: 'aanval*, voorbeeld*',
    conditionals: 'als',
    questionOpenings: 'hoe, waarom, kan',
    modelAddresses: 'je, jij, jouw, uw',
    turnLabels: 'gebruiker, klant, mens, assistent',
  },
};
