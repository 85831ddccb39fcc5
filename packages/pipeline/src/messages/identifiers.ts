/** The form of an identifier. */
const IDENTIFIER = /^[\w.:|=+/-]{1,512}$/;
/** Prefixes of identifiers that interfaces and SDKs make; what follows is random. */
const PREFIX =
  /^(?:call|toolu|srvtoolu|mcptoolu|tooluse|chatcmpl|chatcmpl-tool|cmpl|msg|resp|rs|fc|fco|ctc|ctco|ws|fs|ci|ig|cu|sh|lsh|apc|mcp|mcpl|mcpr|mcpa|item|run|run-|lc_run-|step|thread|asst|file|vs|vsf|batch|req|gen|cntr|container|conv|fp|ft|session|event|evt|aitxt|aiobj|tool|embd|modr|audio|doc|src|part|functions|function-call|fcall)[-_.]/i;
const UUID = /^(?:[a-z]{1,12}[-_:])*[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
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
  if (!IDENTIFIER.test(text) || text.length > 128) return false;
  const undated = text.replace(DATE, '');
  if (LONG_RUN.test(undated) || ADDRESS.test(undated)) return false;
  return undated.split(/[-_.:|=+/]/).every((piece) => PIECE.test(piece));
}

/** Whether a text is an identifier as interfaces make them; every other text of an identifier's member is read. */
export function isPlainIdentifier(text: string): boolean {
  if (!IDENTIFIER.test(text)) return false;
  if (UUID.test(text)) return /[a-f]/i.test(text.slice(-36));
  if (isPlainName(text)) return true;
  const [prefix = ''] = PREFIX.exec(text) ?? [];
  const rest = text.slice(prefix.length);
  return prefix !== '' && /^[A-Za-z\d-]*$/.test(rest) && !NUMBER.test(rest);
}
