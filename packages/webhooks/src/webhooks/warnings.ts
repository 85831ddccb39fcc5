import type { Webhook } from './types.ts';

/** Hosts of Slack's incoming webhooks, which refuse everything but a message of Slack. */
const SLACK_HOSTS: readonly string[] = ['hooks.slack.com', 'hooks.slack-gov.com'];
/** Paths of Slack, `/services/T…/B…/…`, and of Discord for messages of Slack; relays have them on other hosts. */
const SLACK_PATH =
  /^\/services(?:\/[^/]+){3}\/?$|^\/api(?:\/v\d+)?\/webhooks\/[^/]+\/[^/]+\/slack\/?$/;
const DISCORD_HOST = /(?:^|\.)discord(?:app)?\.com$/;
const DISCORD_PATH = /^\/api(?:\/v\d+)?\/webhooks\/[^/]+\/[^/]+\/?$/;

/** Reasons for which the deliveries of a webhook will probably be refused or read, with the remedy; empty for most. */
export function webhookWarnings({ url, format }: Pick<Webhook, 'url' | 'format'>): string[] {
  const { protocol, hostname, pathname } = new URL(url);
  const warnings: string[] = [];
  if (protocol === 'http:') {
    warnings.push(
      'The url is plain http, for development only: deliveries are not encrypted. Use https in production.',
    );
  }
  if (DISCORD_HOST.test(hostname) && DISCORD_PATH.test(pathname)) {
    warnings.push(
      'Discord refuses events here: append /slack to the url, and set format: slack, so that deliveries are messages that it shows.',
    );
  }
  const wantsSlack = SLACK_HOSTS.includes(hostname) || SLACK_PATH.test(pathname);
  if (wantsSlack && format !== 'slack') {
    warnings.push(
      'The url looks like one that accepts messages of Slack only, and refuses events: set format: slack, so that deliveries are such messages.',
    );
  }
  return warnings;
}
