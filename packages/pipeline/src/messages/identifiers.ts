/** The form of an identifier. */
const IDENTIFIER = /^[\w.:|=+/-]{1,512}$/;
/** Prefixes of identifiers that interfaces and SDKs make; what follows is random. */
const PREFIX =
  /^(?:call|toolu|srvtoolu|mcptoolu|tooluse|chatcmpl|chatcmpl-tool|cmpl|msg|resp|rs|fc|fco|ctc|ctco|ws|fs|ci|ig|cu|sh|lsh|apc|mcp|mcpl|mcpr|mcpa|item|run|run-|lc_run-|step|thread|asst|file|vs|vsf|batch|req|gen|cntr|container|conv|fp|ft|session|event|evt|aitxt|aiobj|tool|embd|modr|audio|doc|src|part|functions|function-call|fcall)[-_.]/i;
const UUID = /^(?:[a-z]{1,12}[-_:])*[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/**
 * Letters that keys of vendors begin with, without a sign after them. An identifier has random ones there, so that such a
 * text is read. A test holds the list against the forms of the secrets stage.
 */
const KEY_LETTERS =
  /^(?:A(?:KIA|SIA|BIA|CCA|BSK|KID|KCp|Iza|AAA|TBB|TCTT|TATT)|LTAI|EAA[A-Z]|EZ[AT]K|GR1348941|SK[\da-f]|cio|cmVmd|oy2|eyJ|dapi|dkea|dose|4b1d|bot\d)/;
/** The words that keys begin with, with enough letters after them for a key. */
const KEY_WORD =
  /^(?:sk|pk|rk|sdk|api|key|secret|pat|access|processor|signkey|tskey|bedrock|xox[a-z]|xapp|xwfp|gl[a-z]{2,6}|pypi|pul|PMAK|GOCSPX|HRKU|xai|pplx|nvapi|tvly|csk|llx|xkeysib|xsmtpsib|sq0[a-z]{3}|FLWSECK|NR[A-Z]{2}|CFPAT|fio|p8e?|AGE|xa[ap]t|API|md|fc(?=-[\da-f]{32}$))-(?=.{16})(?=.*\d)|^(?:dckr_|hv[sbr]\.|[sr]k_(?:live|test|org)_)(?=.{16})/;
const LEAST_KEY = 16;
/** Dates in names, such as those of models and versions of tools. */
const DATE = /20\d\d[-_.]?[01]\d[-_.]?[0-3]\d/g;
/** So many digits may be a number of something, whatever separates them. */
const LONG_RUN = /\d(?:[-_.:|=+/]?\d){6}/;
const ADDRESS = /(?:^|[^\d.])\d{1,3}(?:\.\d{1,3}){3}(?:$|[^\d.])/;
/** Words with a number, numbers, and pieces too short for a key. */
const PIECE = /^(?:[A-Za-z]{0,40}|[a-z]{0,24}\d{0,4}|[A-Z]{0,12}\d{0,4}|\d{0,6}|[A-Za-z\d]{0,12})$/;
/** In random letters and digits so many digits hardly follow one another; fewer are a number where they are grouped. */
const NUMBER = /\d(?:-?\d){11}|^(?=.*-)[\d-]{9,}$/;

/**
 * Whether a text is a name that is put together of words and short numbers, such as those of models and types
 * (`gpt-4o-2024-11-20`, `web_search_tool_result`): it has no value of anything.
 */
export function isPlainName(text: string): boolean {
  if (!IDENTIFIER.test(text) || text.length > 128 || isKeyLike(text)) return false;
  const undated = text.replace(DATE, '');
  if (LONG_RUN.test(undated) || ADDRESS.test(undated)) return false;
  return undated.split(/[-_.:|=+/]/).every((piece) => PIECE.test(piece));
}

/** Whether a text is an identifier as interfaces make them; every other text of an identifier's member is read. */
export function isPlainIdentifier(text: string): boolean {
  if (!IDENTIFIER.test(text)) return false;
  if (UUID.test(text)) return /[a-f]/i.test(text.slice(-36)) && !isKeyLike(text);
  if (isPlainName(text)) return true;
  const [prefix = ''] = PREFIX.exec(text) ?? [];
  const rest = text.slice(prefix.length);
  return prefix !== '' && /^[A-Za-z\d-]*$/.test(rest) && !NUMBER.test(rest) && !isKeyLike(text);
}

/** Whether a text may be a key, after the prefix of an identifier as well. */
function isKeyLike(text: string): boolean {
  const rest = text.slice(PREFIX.exec(text)?.[0].length ?? 0);
  return [text, rest].some(
    (each) => KEY_WORD.test(each) || (KEY_LETTERS.test(each) && each.length >= LEAST_KEY),
  );
}
