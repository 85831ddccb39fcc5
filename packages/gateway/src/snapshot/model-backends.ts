import type { Logger } from '@probity/core';
import type { Classifier, PipelineDependencies } from '@probity/pipeline';
import type { Backends } from '@probity/pipeline/backends';
import type { BackendsValue } from '../config/backends-file.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { Environment } from '../config/substitution.ts';

/** The back ends of one configuration. */
interface OpenBackends {
  readonly dependencies: PipelineDependencies;
  /**
   * Loads the local models.
   *
   * @throws Error that names the key and the back end that cannot be used
   */
  load(): Promise<void>;
  close(): Promise<void>;
}

/** The models and judges that help the stages; they outlive reloads that leave them as they are. */
export interface ModelBackends {
  /** Returns the back ends of a configuration, the same ones for equal settings; undefined without any. */
  of(config: GatewayConfig): OpenBackends | undefined;
  /** Closes those of other configurations, once no scan can use them. */
  use(config: GatewayConfig): void;
  close(): Promise<void>;
}

/** Makes the holder of back ends of a process. */
export function createModelBackends(env: Environment, logger: Logger): ModelBackends {
  const held = new Map<string, OpenBackends>();
  return {
    of({ scanning: { backends } }) {
      if (backends === undefined) return undefined;
      const key = JSON.stringify(backends);
      const open = held.get(key) ?? openBackends(backends, env, logger);
      held.set(key, open);
      return open;
    },
    use({ scanning: { backends }, server }) {
      const own = JSON.stringify(backends);
      for (const [key, open] of held) {
        if (key === own) continue;
        held.delete(key);
        setTimeout(() => void open.close(), server.request_timeout_ms).unref();
      }
    },
    async close() {
      await Promise.all([...held.values()].map((open) => open.close()));
    },
  };
}

/** Makes back ends whose code is loaded at their first use. */
function openBackends(
  { settings, folder }: BackendsValue,
  env: Environment,
  logger: Logger,
): OpenBackends {
  let loading: ReturnType<typeof make> | undefined;
  const made = () => {
    loading ??= make();
    return loading;
  };
  async function make() {
    const { createBackends, parsePipelineSettings, sampleErrors } = await import(
      '@probity/pipeline/settings'
    );
    const backends = createBackends(
      parsePipelineSettings({ backends: settings }, { env, folder }).backends,
    );
    const report = sampleErrors((error, keptBack) =>
      logger.warn('a back end of the stages failed', { error, keptBack }),
    );
    return { backends, report };
  }
  return {
    dependencies: {
      ...dependenciesOf(settings, async () => (await made()).backends),
      onBackendError: (error) => void made().then(({ report }) => report(error)),
    },
    async load() {
      try {
        await (await made()).backends.load();
      } catch (error) {
        throw new Error(`scanning.backends_file: ${(error as Error).message}`);
      }
    },
    async close() {
      await (await loading)?.backends.close();
    },
  };
}

function dependenciesOf(
  { judge, classifiers, meaning }: BackendsValue['settings'],
  made: () => Promise<Backends>,
): PipelineDependencies {
  const classifierOf = (stage: string): Classifier => ({
    classify: async (...given) => {
      const all: Readonly<Record<string, Classifier>> = (await made()).classifiers ?? {};
      return required(all[stage]).classify(...given);
    },
  });
  const stages = Object.keys((classifiers ?? {}) as object);
  return {
    ...(judge !== undefined && {
      judge: { judge: async (...given) => required((await made()).judge).judge(...given) },
    }),
    ...(meaning !== undefined &&
      meaning !== false && {
        meaning: { embed: async (...given) => required((await made()).meaning).embed(...given) },
      }),
    classifiers: Object.fromEntries(stages.map((stage) => [stage, classifierOf(stage)])),
  };
}

function required<Made>(made: Made | undefined): Made {
  if (made === undefined) throw new Error('the back end was not made');
  return made;
}
