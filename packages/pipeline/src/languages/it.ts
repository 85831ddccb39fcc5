import type { LanguageData } from './language-data.ts';

/** Italian. */
export const language: LanguageData = {
  tag: 'it',
  name: 'Italian',
  pii: {
    cues: {
      ssn: 'previdenza sociale',
      credit_card: 'carta di credito, carta',
      phone_number: `
        telefono*, cellulare, chiama*, chiami, contatt*, il mio numero, servizio clienti,
        numero verde, centralino`,
      passport: 'passaporto*, documento di viaggio',
      ip_address: 'indirizzo',
      bank_account: 'conto, conto corrente, conto bancario, bonifico',
      it_codice_fiscale: 'codice fiscale, cod fisc*, codicefiscale',
    },
    accountWords: 'conto, conto corrente, conto bancario',
    numberedWords: 'serie, ordine*, fattura*, spedizione, articolo, numero cliente, codice fiscale',
    harmlessWords: 'versione',
    labelWords: 'numero, è, e, al, di',
    countedThings: 'persone, abitanti',
  },
  injection: {
    lexicon: {
      override: 'ignora*, dimentica*, trascura*, tralascia*',
      rules: 'istruzion*, regole, direttive, comandi',
      prior: 'precedent*, iniziali, sopra',
      all: 'tutte, tutti, tutto, ogni',
      your: 'tuo, tue, tuoi',
      reveal: 'mostra*, rivela*, ripeti*, stampa*',
      secret: 'nascost*, segret*, riservat*',
      persona: 'simula, interpreta, fingi, agisci',
      limits: 'limite*, etica, regole, restrizion*',
      without: 'senza',
      assistant: 'ia, assistente',
      never: 'non, mai',
      comply: 'obbedisci, segui',
      answer: 'risposta*, rispondi*',
      change: 'aggiungi*, includi*, inserisci*',
      send: 'manda*, invia*, inoltra*',
      request: 'utente*',
      character: 'personaggio',
      system: 'sistema',
      task: 'adesso',
    },
    functionWords: 'il, la, di, che, per, sono, un, una, con, in',
    discussionWords: 'attacco, vulnerabilit*, esempio',
    conditionals: 'se',
    questionOpenings: 'come, perche, posso',
    modelAddresses: 'tuo, tuoi, tua, tue',
  },
  hallucination: {
    greetings: 'ciao, buongiorno',
    thanks: 'grazie',
    thanksReplies: 'prego',
  },
};
