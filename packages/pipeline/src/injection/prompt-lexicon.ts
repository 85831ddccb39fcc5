/** Classes of words from which the phrase rules are built. */
export type WordClass =
  | 'override'
  | 'rules'
  | 'prior'
  | 'all'
  | 'your'
  | 'reveal'
  | 'secret'
  | 'persona'
  | 'unbound'
  | 'limits'
  | 'without'
  | 'assistant'
  | 'never'
  | 'comply'
  | 'answer'
  | 'change'
  | 'send'
  | 'request'
  | 'character'
  | 'illicit'
  | 'regardless'
  | 'hypothetical'
  | 'code'
  | 'system'
  | 'task';

/**
 * Words by class, in English, German, French, Spanish, Italian, Portuguese, Dutch and Russian; lower
 * case, without diacritics; `*` for any ending after at least four letters.
 */
export const PROMPT_LEXICON: Readonly<Record<WordClass, string>> = {
  override:
    'ignor* disregard* disobey* forget override overrule void aside bypass* neglect discard revoke revok* suspend circumvent ' +
    'abandon drop erase unlearn dismiss violate ignoriere* vergiss vergessen missachte* uberschreib* verwirf umgehe* ignorez oublie* ' +
    'neglige* contourn* ignora* olvid* descarta* omite dimentica* trascura* tralascia* esquec* desconsider* negeer* vergeet ' +
    'игнорир* забудь* забыть отмени',
  rules:
    'instruction* rule rules guideline* prompt prompts directive* direction directions command commands policies polic* restriction* ' +
    'constraint* safeguard* filters programming training orders guardrail* protocols anweisung* regeln regel vorgaben richtlinie* befehle* ' +
    'vorschrift* beschrankung* consigne* regles directives restrictions instruccion* reglas indicaciones directrices ordenes ' +
    'istruzion* regole direttive comandi instruc* regras diretrizes instructies regels richtlijnen opdrachten инструкц* правила указани*',
  prior:
    'previous previously prior above earlier preceding before former foregoing original initial existing hitherto ' +
    'vorherig* bisherig* obig* vorig* vorangegangen* fruher* ursprungliche* zuvor precedent* anterieur* dessus avant initiales ' +
    'anterior* previa* previo* arriba dadas iniciales precedent* iniziali sopra acima prev* voorgaande* vorige eerdere bovenstaande ' +
    'предыдущ* прежние выше',
  all: 'all any every everything entire whatever alle alles samtliche toutes tous tout toda todas todo todos tutte tutti tutto ogni все любые',
  your: 'your yours you thy dein* deine ihre ihr ton tes votre vos tus tu sus su tuo tue tuoi suas seus sua seu je jouw uw твои ваши',
  reveal:
    'reveal* show copy print repeat output display tell leak disclose expose dump share give recite paste reproduce summari* translate* list write encode quote describe ' +
    'zeig* verrate* nenne* wiederhole* gib ausgeben montre* revele* affiche* repete* donne* muestra* revela* repite* imprime* dime ' +
    'mostra* rivela* ripeti* stampa* mostre* revele* repita* toon onthul* herhaal* geef покажи* раскрой* повтори* выведи*',
  secret:
    'hidden secret* confidential password* passphrase credentials internal verbatim geheim* verborgen* vertraulich* cache* secret* confidentiel* ' +
    'oculto* oculta* secreto* confidencial* nascost* segret* riservat* verborgen geheime скрыт* секретн* systemprompt systemanweisung* sysprompt',
  persona:
    'act pretend roleplay role-play simulate become impersonate emulate imagine embody spiele* agiere tu agis joue incarne actua finge simula ' +
    'interpreta fingi agisci comporta finja atue simule speel doe представь* притвор*',
  unbound:
    'unrestricted uncensored unfiltered jailbroken jailbreak* dan stan dude amoral unethical unbound* unlimited unchained evilbot aim devmode lawless ' +
    'uneingeschrankt* unzensiert* illimite sans-filtre sinrestricciones sincensura onbeperkt ongefilterd',
  limits:
    'restriction* restrictions polic* limit limits limitation* censorship filter filters ethic* moral* guideline* rules safeguards boundaries beschrankung* ' +
    'regeln filter zensur ethik restriccion* limite* filtros etica regole restrizion* restric* beperking* regels ограничен* цензур*',
  without:
    'without no free freed lacking ignoring bypassing beyond remove* ohne keine keinen sans aucune sin ningun* senza sem zonder без removed longer not',
  assistant:
    'assistant* ai chatbot bot llm model chatgpt gpt gpt-4 claude gemini copilot agent assistent* ki modele asistente* ia assistente modelo openai anthropic ассистент* модель',
  never:
    'never don dont not cannot won nie niemals nicht jamais nunca non mai nao nooit niet никогда не refuse* decline* avoid must',
  comply:
    'obey* comply complies follow* fulfil* fulfill* execute perform gehorche* befolge* obeis suis obedece* sigue* obbedisci segui obedeca siga gehoorzaam volg',
  answer:
    'answer* respond* response* reply replies output antwort* reponse* repond* respuesta* responde* risposta* rispondi* resposta* responda* antwoord* ответ* summary zusammenfassung resume* resumen',
  change:
    'add append include incorporate* insert integrate* embed modify* augment* adjust* enhance* merge* weave alter change tailor* inject* ' +
    'fuge einfugen ajoute* inclus* insere* anade* incluye* agrega* inserta* aggiungi* includi* inserisci* adicione* inclua* insira* voeg добавь*',
  send: 'send sends forward transmit post upload email e-mail exfiltrate* deliver sende* schicke* leite envoie* transfere* envia* reenvia* manda* invia* inoltra* envie* stuur отправь*',
  request:
    'user users customer reader readers recipient nutzer* benutzer* utilisateur* usuario* utente* utilizador* gebruiker* conversation history data address',
  character:
    'character persona role alter ego figure rolle personnage personaje personaggio papel personagem rol',
  illicit:
    'illegal unethical immoral harmful dangerous offensive inappropriate explicit nsfw swear curse profanity malware bomb* drugs weapon* unethisch* ilegal* illegal* dangereux',
  regardless: 'regardless matter whatever unconditionally always irrespective',
  hypothetical: 'hypothetical* fictional fiction imaginary alternate parallel story novel',
  code: 'snippet excerpt code code-block script fragment',
  system:
    'system systems developer admin administrator root sudo systeme sistema systeem системн* hidden initial base core',
  task: 'instead task tasks now henceforth stattdessen nun ab jetzt desormais maintenant ahora adesso agora nu voortaan теперь вместо new',
};
