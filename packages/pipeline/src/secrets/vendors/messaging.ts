import type { InnerRow, NamedRow, PrefixedRow } from '../secret-row.ts';

const DIGIT = /\d/;

/** Mail, chat, telephony and webhooks. */
export const MESSAGING: readonly PrefixedRow[] = [
  {
    vendor: 'Slack',
    type: 'access_token',
    opens: [
      'xoxa-',
      'xoxb-',
      'xoxe-',
      'xoxe.xoxp-',
      'xoxe.xoxb-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xwfp-',
    ],
    // The second is the example of `tooling.tokens.rotate`.
    body: '(?:[A-Za-z0-9%-]{16,400}|1-abcdefg)',
    accepts: (value) => DIGIT.test(value),
    documented: /^xoxe-1-abcdefg$/,
    source: 'https://docs.slack.dev/authentication/tokens',
  },
  {
    vendor: 'Slack',
    type: 'access_token',
    opens: ['xapp-'],
    body: '\\d-[A-Z0-9]{8,16}-\\d{8,16}-[0-9a-f]{64}',
    source: 'https://docs.slack.dev/authentication/tokens',
  },
  {
    vendor: 'Slack',
    type: 'webhook_url',
    opens: ['https://hooks.slack.com/', 'hooks.slack.com/'],
    // The second is the example of the guides to Slack's libraries.
    body: '(?:(?:services|workflows|triggers)/[A-Z0-9]{8,14}/[A-Z0-9]{8,20}/[A-Za-z0-9/]{16,60}|services/T1234567/AAAAAAAA/ZZZZZZ)',
    documented: /\/(?:T0{8}\/B0{8}\/X{24}|T1234567\/A{8}\/Z{6})$/,
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  },
  {
    vendor: 'Discord',
    type: 'webhook_url',
    opens: [
      'https://discord.com/api/',
      'https://discordapp.com/api/',
      'https://ptb.discord.com/api/',
      'https://canary.discord.com/api/',
    ],
    body: '(?:v\\d{1,2}/)?webhooks/\\d{17,20}/[A-Za-z0-9_-]{60,72}',
    source: 'https://discord.com/developers/docs/resources/webhook',
  },
  {
    vendor: 'Discord',
    type: 'access_token',
    opens: ['M', 'N', 'O'].flatMap((first) => [...'TDjz'].map((second) => first + second)),
    body: '[A-Za-z0-9]{21,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}',
    accepts: startsWithSnowflake,
    source: 'https://discord.com/developers/docs/reference#authentication',
  },
  {
    vendor: 'Microsoft Teams',
    type: 'webhook_url',
    opens: ['https://'],
    body: '[a-z0-9-]{1,63}\\.webhook\\.office\\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9A-Za-z]{32}/[0-9a-f-]{36}(?:/[A-Za-z0-9_-]{20,64})?',
    source:
      'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
  },
  {
    vendor: 'Google Chat',
    type: 'webhook_url',
    opens: ['https://chat.googleapis.com/v1/spaces/'],
    body: '[A-Za-z0-9_-]{6,20}/messages\\?key=[A-Za-z0-9_-]{30,45}&token=[A-Za-z0-9_-]{30,60}(?:%3D)?',
    source: 'https://developers.google.com/workspace/chat/quickstart/webhooks',
  },
  {
    vendor: 'Firebase Cloud Messaging',
    type: 'api_key',
    opens: ['AAAA'],
    body: '[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,160}',
    source: 'https://firebase.google.com/docs/cloud-messaging/auth-server',
  },
  {
    vendor: 'Zapier',
    type: 'webhook_url',
    opens: ['https://hooks.zapier.com/hooks/catch/'],
    body: '\\d{5,10}/[a-z0-9]{5,12}',
    source: 'https://help.zapier.com/hc/en-us/articles/8496288690317',
  },
  {
    vendor: 'Telegram',
    type: 'access_token',
    opens: pairsOfDigits(),
    body: '(?:\\d{6,8}:AA[A-Za-z0-9_-]{33}|\\d{4}:ABC-DEF1234[A-Za-z0-9-]{22,24})',
    documented: /^123456:ABC-DEF/,
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
  },
  {
    vendor: 'Telegram',
    type: 'access_token',
    opens: ['bot'],
    body: '(?:\\d{8,10}:AA[A-Za-z0-9_-]{33}|123456:ABC-DEF1234[A-Za-z0-9-]{22,24})',
    documented: /^bot123456:ABC-DEF/,
    source: 'https://core.telegram.org/bots/api#making-requests',
  },
  {
    vendor: 'Twilio',
    type: 'api_key',
    opens: ['SK'],
    body: '[0-9a-f]{32}',
    score: 0.8,
    source: 'https://www.twilio.com/docs/iam/api-keys',
  },
  {
    vendor: 'SendGrid',
    type: 'api_key',
    opens: ['SG.'],
    body: '[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}',
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
  },
  {
    vendor: 'Mailgun',
    type: 'api_key',
    opens: ['key-'],
    body: '[0-9a-z]{32}',
    accepts: (value) => /\d.*\d/.test(value),
    score: 0.85,
    source: 'https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth',
  },
  {
    vendor: 'Brevo',
    type: 'api_key',
    opens: ['xkeysib-', 'xsmtpsib-'],
    body: '[0-9a-f]{64}-[A-Za-z0-9]{16}',
    source: 'https://developers.brevo.com/docs/getting-started',
  },
  {
    vendor: 'Resend',
    type: 'api_key',
    opens: ['re_'],
    body: '[A-Za-z0-9]{8}_[A-Za-z0-9]{24}',
    accepts: (value) => DIGIT.test(value) && /[A-Z]/.test(value),
    source: 'https://resend.com/docs/dashboard/api-keys/introduction',
  },
  {
    vendor: 'Mandrill',
    type: 'api_key',
    opens: ['md-'],
    body: '[A-Za-z0-9_-]{22}',
    accepts: (value) => DIGIT.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value.slice(3)),
    score: 0.8,
    source: 'https://mailchimp.com/developer/transactional/docs/fundamentals/',
  },
];

/** Keys of the same field that have no form of their own. */
export const NAMED_MESSAGING: readonly NamedRow[] = [
  {
    vendor: 'Twilio',
    type: 'access_token',
    names: ['twilio', 'auth_token', 'authtoken'],
    value: '[0-9a-f]{32}',
    source: 'https://www.twilio.com/docs/iam/api/authtoken',
  },
  {
    vendor: 'Mailgun',
    type: 'api_key',
    names: ['mailgun'],
    value: '[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}',
    source: 'https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth',
  },
  {
    vendor: 'Postmark',
    type: 'access_token',
    names: ['postmark', 'x-postmark-server-token'],
    value: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    source: 'https://postmarkapp.com/developer/api/overview',
  },
];

/** Keys of the same field whose mark stands inside. */
export const INNER_MESSAGING: readonly InnerRow[] = [
  {
    vendor: 'Mailchimp',
    type: 'api_key',
    literal: '-us',
    before: 32,
    value: '[0-9a-f]{32}-us\\d{1,2}',
    source: 'https://mailchimp.com/developer/marketing/guides/quick-start/',
  },
];

/** The first part of a bot token is the number of its account, in base64. */
function startsWithSnowflake(value: string): boolean {
  const part = value.slice(0, value.indexOf('.'));
  return /^\d{17,20}$/.test(atob(part.length % 4 === 1 ? '' : part));
}

function pairsOfDigits(): string[] {
  return Array.from({ length: 90 }, (_, index) => String(index + 10));
}
