import { createEventReader, writeEvent } from '@probity/pipeline/protocols';
import type { ProxyCall } from '../proxy/guarded-call.ts';
import type { ProxyProtocol } from '../proxy/protocols.ts';

/** An answer that is passed on while it comes. */
export interface AnswerStream {
  /**
   * Gives what may be passed on after a part.
   *
   * @throws BlockedError where the policies block
   */
  feed(bytes: Uint8Array, isEnd: boolean): Promise<string>;
}

/** The events of a streamed answer of a model. */
export function createEventStream(protocol: ProxyProtocol, call: ProxyCall): AnswerStream {
  const events = protocol.endpoint.createEvents(call);
  const reader = createEventReader(call.maxHeld);
  const decoder = new TextDecoder();
  return {
    async feed(bytes, isEnd) {
      const came = reader.feed(decoder.decode(bytes, { stream: !isEnd }));
      if (isEnd) came.push(...reader.end());
      let text = '';
      for (const event of came) {
        for (const out of await events.take(event)) text += writeEvent(out);
      }
      if (isEnd) text += (await events.end()).map(writeEvent).join('');
      return text;
    },
  };
}

/** Plain text. */
export function createTextStream(call: ProxyCall): AnswerStream {
  const gate = call.openText();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    async feed(bytes, isEnd) {
      const text = await gate.feed(decoder.decode(bytes, { stream: !isEnd }));
      return isEnd ? text + (await gate.end()) : text;
    },
  };
}
