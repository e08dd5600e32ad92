import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { vi } from 'vitest'

type Collection = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>

interface TrackedCollection {
  /** File below `apps/server` that created it. */
  readonly file: string
  readonly ref: WeakRef<Collection>
}

export interface TrackedCollections {
  /** Collects garbage and returns the entries in the collections that are still in use, by file. Empty ones are left out. */
  readonly entries: () => Record<string, number>
  readonly stop: () => void
}

/**
 * Tracks each `Map` and `Set` that a file of the server creates from now on. Local collections of a function end with
 * it, so the rest belongs to the running server. Collections inside libraries, such as bounded caches, are not tracked.
 */
export function trackCollections(): TrackedCollections {
  let tracked: TrackedCollection[] = []
  const handler: ProxyHandler<MapConstructor | SetConstructor> = {
    construct: (target, args, newTarget) => {
      const made: unknown = Reflect.construct(target, args, newTarget)
      if (!isCollection(made)) throw new Error('neither Map nor Set')
      const file = creatorFile()
      if (file !== null) tracked.push({ file, ref: new WeakRef(made) })
      return made
    },
  }
  vi.stubGlobal('Map', new Proxy(Map, handler))
  vi.stubGlobal('Set', new Proxy(Set, handler))
  return {
    entries: () => {
      collectGarbage()
      tracked = tracked.filter(({ ref }) => ref.deref() !== undefined)
      const entries: Record<string, number> = {}
      for (const { file, ref } of tracked) {
        const size = ref.deref()?.size ?? 0
        if (size > 0) entries[file] = (entries[file] ?? 0) + size
      }
      return entries
    },
    stop: () => void vi.unstubAllGlobals(),
  }
}

function isCollection(value: unknown): value is Collection {
  return value instanceof Map || value instanceof Set
}

/** The file whose code called the constructor, or null if it is not a file of the server. */
function creatorFile(): string | null {
  const limit = Error.stackTraceLimit
  const format: unknown = Reflect.get(Error, 'prepareStackTrace')
  // This function, the handler, and the caller of the constructor.
  Error.stackTraceLimit = 3
  let file = ''
  // The text of a stack is slower to build, because the test runner maps each line to its source.
  Error.prepareStackTrace = (_, sites) => {
    file = sites.at(-1)?.getFileName() ?? ''
    return ''
  }
  Reflect.get(new Error(), 'stack')
  Object.assign(Error, { stackTraceLimit: limit, prepareStackTrace: format })
  return /apps\/server\/(src\/[^:?]+)/.exec(file)?.[1] ?? null
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
