import type { Violation } from './policy-types.ts';

/** By type of finding: the end of a sentence that begins with "the text", in words for people who use an application. */
export const EXPLANATIONS = Object.freeze({
  iban: 'has a bank account number',
  ssn: 'has a social security number',
  credit_card: 'has a card number',
  phone_number: 'has a telephone number',
  email: 'has an e-mail address',
  passport: 'has a passport number',
  ip_address: 'has the address of a computer',
  bank_account: 'has a bank account number',
  person_name: 'has the name of a person',
  postal_address: 'has a postal address',
  prompt_injection: 'tells the model to act against its instructions',
  sql_injection: 'could change the database query that it is put into',
  command_injection: 'could run a command of its own on a server',
  xpath_injection: 'could change the XPath query that it is put into',
  hate_speech: 'attacks people for who they are',
  harassment: 'insults or harasses a person',
  self_harm: 'speaks of self-harm or encourages it',
  violence: 'threatens violence or calls for it',
  sexual_content: 'describes sex openly',
  number: 'gives a number that the source does not give here',
  date: 'gives a date that the source does not give here',
  entity: 'names something that the source does not name here',
  negation: 'denies what the source affirms, or affirms what it denies',
  quantity: 'says another extent or certainty than the source',
  antonym: 'says the opposite of the source',
  role: 'has the parts of the statement in other places than the source',
  unsupported: 'says something that the source does not say',
  supported: 'agrees with an entry of the knowledge base',
  contradicted: 'contradicts an entry of the knowledge base',
  unclear:
    'is about an entry of the knowledge base, which neither supports nor contradicts it plainly',
  verbatim: 'repeats a protected text word for word',
  near_verbatim: 'repeats a protected text with few changes',
  canary: 'has a canary token',
  hidden_text: 'has a text in characters that show nothing',
  encoded: 'has a protected text in an encoding',
  access_token: 'has an access token',
  api_key: 'has an API key',
  connection_string: 'has the password of a connection',
  jwt: 'has a signed token (JWT)',
  password: 'has a password',
  private_key: 'has a private key',
  webhook_url: 'has the secret address of a webhook',
  denied_term: 'has a term of a list of denied terms',
} as const);

const FOUND = / found (.+)$/;

/**
 * Says a violation for people who use an application: `toxicity_scanner found harassment: the text insults or harasses a
 * person`. Types without an explanation, such as those of custom stages, are only named.
 */
export function violationInWords({ reason }: Pick<Violation, 'reason'>): string {
  const types = FOUND.exec(reason)?.[1]?.split(', ') ?? [];
  const known: Readonly<Record<string, string>> = EXPLANATIONS;
  const words = types.flatMap((type) => (Object.hasOwn(known, type) ? [known[type]] : []));
  return words.length === 0 ? reason : `${reason}: the text ${words.join(', and ')}`;
}
