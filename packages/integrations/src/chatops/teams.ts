import { z } from 'zod';
import type { MicrosoftEndpoints } from '../integrations/clients.ts';
import type { Routing } from '../integrations/types.ts';
import { RemoteFailure } from '../remote/failure.ts';
import type { OAuthClient } from '../remote/oauth.ts';
import type { CallOptions, Remote } from '../remote/remote.ts';
import type { AdaptiveCard } from './card.ts';

/** A channel of a team, or a chat. */
type Destination = Pick<Routing, 'teamId' | 'channelId' | 'chatId'>;

/** Messages of Microsoft Teams (Graph). */
export interface Teams {
  /**
   * Posts a message whose only content is the card. A message that may have been posted, although no answer said
   * so, is not repeated.
   * @param attachmentId a UUID, which names the card within the message
   * @returns the id of the message
   * @throws RemoteFailure
   */
  post(
    client: OAuthClient,
    destination: Destination,
    card: AdaptiveCard,
    attachmentId: string,
    options?: CallOptions,
  ): Promise<string>;
}

const CARD_TYPE = 'application/vnd.microsoft.card.adaptive';
const chatMessage = z.object({ id: z.string().min(1) });

/** Creates the client of Graph. */
export function createTeams(remote: Remote, { graphUrl }: MicrosoftEndpoints): Teams {
  return {
    async post(client, destination, card, attachmentId, options) {
      const url = `${graphUrl}/v1.0${pathOf(destination)}/messages`;
      const json = {
        body: { contentType: 'html', content: `<attachment id="${attachmentId}"></attachment>` },
        attachments: [
          {
            id: attachmentId,
            contentType: CARD_TYPE,
            contentUrl: null,
            content: JSON.stringify(card),
            name: null,
            thumbnailUrl: null,
          },
        ],
      };
      const answer = await remote.call(client, { method: 'POST', url, json }, options);
      const message = chatMessage.safeParse(answer);
      if (message.success) return message.data.id;
      throw new RemoteFailure('unanswered', 'The system did not answer with a chatMessage.', {
        mayHaveTakenEffect: true,
      });
    },
  };
}

function pathOf({ teamId = '', channelId = '', chatId }: Destination): string {
  if (chatId !== undefined) return `/chats/${encodeURIComponent(chatId)}`;
  return `/teams/${encodeURIComponent(teamId)}/channels/${encodeURIComponent(channelId)}`;
}
