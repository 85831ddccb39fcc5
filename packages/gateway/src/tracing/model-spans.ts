import type { Members } from '@probity/pipeline/protocols';
import type { ModelRoute } from '../proxy/model-routes.ts';
import { upstreamModel } from '../proxy/model-routes.ts';
import { ownWordOf } from '../proxy/proxy-error.ts';
import type { TokenUsage } from '../proxy/usage.ts';
import type { TraceSpan } from './tracing.ts';

/** What is known of an attempt before it is made. */
export interface ModelAttempt {
  readonly route: ModelRoute;
  /** The interface that is spoken, by the path below the base address. */
  readonly path: string;
  /** 1 for the first one. */
  readonly number: number;
  readonly origin: URL;
}

/** Operations of OpenTelemetry's conventions by the path of an interface; all others are conversations. */
const OPERATIONS: Readonly<Record<string, string>> = { '/embeddings': 'embeddings' };
/** An identifier: a model may say anything. */
const MODEL = /^[A-Za-z][\w.:/-]{0,127}$/;
const REASONS = new Set([
  ...['stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'end_turn', 'max_tokens'],
  ...['stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'completed', 'incomplete', 'failed'],
]);

/** Begins the span of one attempt. */
export function startModelAttempt(
  parent: TraceSpan | undefined,
  { route, path, number, origin }: ModelAttempt,
): TraceSpan | undefined {
  if (!parent?.isRecorded) return parent?.child('POST');
  const operation = OPERATIONS[path] ?? 'chat';
  const model = upstreamModel(route);
  return parent.child(parent.hasGenAi ? `${operation} ${model}` : 'POST', {
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': origin.hostname,
      'server.port': Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80),
      ...(number > 1 && { 'http.request.resend_count': number - 1 }),
      'probity.model.provider': route.providerId,
      'probity.model.name': route.modelId,
      ...(parent.hasGenAi && {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': providerName(route),
        'gen_ai.request.model': model,
      }),
    },
  });
}

function providerName({ provider, providerId }: ModelRoute): string {
  return provider.api_version === undefined ? providerId : 'azure.ai.openai';
}

/** Marks an attempt as failed, by the status of the provider, or the gateway's word for the failure, and ends it. */
export function failModelAttempt(span: TraceSpan | undefined, error: unknown): void {
  if (!span?.isRecorded) return;
  span.fail(ownWordOf(error));
  span.end();
}

/** What the answer of a model says of itself; nothing is read where it is not shown. */
export interface AnswerFacts {
  /** A whole answer, or an event of a streamed one. */
  take(answer: Members): void;
  /** The text of an event. */
  takeEvent(data: string): void;
  end(usage: TokenUsage | null, isEstimate: boolean): void;
}

/** Gathers what the span of an attempt shows of its answer; undefined where the names are off. */
export function createAnswerFacts(span: TraceSpan | undefined): AnswerFacts | undefined {
  if (!span?.isRecorded || !span.hasGenAi) return undefined;
  let model: string | undefined;
  const reasons = new Set<string>();
  const addReason = (reason: unknown) => {
    if (typeof reason !== 'string') return;
    reasons.add(REASONS.has(reason) ? reason : '_OTHER');
  };
  const take = (answer: Members) => {
    const whole = memberIn(answer, 'response') ?? memberIn(answer, 'message') ?? answer;
    if (typeof whole.model === 'string' && MODEL.test(whole.model)) model = whole.model;
    if (Array.isArray(answer.choices)) {
      for (const choice of answer.choices as Members[]) addReason(choice?.finish_reason);
    }
    addReason(memberIn(answer, 'delta')?.stop_reason ?? whole.stop_reason);
    if (whole.object === 'response' && whole.status !== 'in_progress') addReason(whole.status);
  };
  return {
    take,
    takeEvent(data) {
      if (model !== undefined && !/"(?:finish|stop)_reason":\s*"|"response\./.test(data)) return;
      try {
        const event: unknown = JSON.parse(data);
        if (typeof event === 'object' && event !== null) take(event as Members);
      } catch {
        // `[DONE]`
      }
    },
    end(usage, isEstimate) {
      span.set({
        'gen_ai.response.model': model,
        'gen_ai.response.finish_reasons': reasons.size > 0 ? [...reasons] : undefined,
        // What the gateway guesses is no count of the provider.
        ...(usage !== null &&
          !isEstimate && {
            'gen_ai.usage.input_tokens': usage.input,
            'gen_ai.usage.output_tokens': usage.output,
          }),
      });
    },
  };
}

function memberIn(value: Members, name: string): Members | undefined {
  const held = value[name];
  return typeof held === 'object' && held !== null && !Array.isArray(held)
    ? (held as Members)
    : undefined;
}
