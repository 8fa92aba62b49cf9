import { _CONTEXT_VARIABLES_KEY, AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

/** LangChain keeps the configuration of a step under this key. */
const CHILD_CONFIG = Symbol.for("lc:child_config");

/**
 * LangChain creates a LangSmith trace for each call inside a step, also if nothing traces: about 50 µs, several times per step. This keeps
 * only the configuration that a trace would carry. Steps with callbacks, which a tracer needs, are left as they are.
 */
export function skipUnusedTraces(): void {
  const provider = AsyncLocalStorageProviderSingleton;
  const isDone = Object.hasOwn(provider, "runWithConfig");
  if (isDone) return;
  const traced = provider.runWithConfig.bind(provider);
  provider.runWithConfig = (config, callback, avoidCreatingRootRunTree) => {
    const untraced = config !== undefined && config.callbacks === undefined && avoidCreatingRootRunTree !== true;
    if (!untraced) return traced(config, callback, avoidCreatingRootRunTree);
    const storage = provider.getInstance();
    const variables = storage.getStore()?.[_CONTEXT_VARIABLES_KEY];
    const kept = { extra: { [CHILD_CONFIG]: config }, ...(variables !== undefined && { [_CONTEXT_VARIABLES_KEY]: variables }) };
    return storage.run(kept, callback);
  };
}
