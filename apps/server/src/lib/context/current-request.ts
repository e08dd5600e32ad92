import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | undefined>()

/** Id of the HTTP request that caused the running work, here or on another node. Undefined: none, or several. */
export function currentRequest(): string | undefined {
  return current.getStore()
}

/**
 * Runs work that this request caused. Log lines and packets of the work carry the id. Call it with undefined for work
 * that lives longer than the request or serves several ones.
 */
export function runForRequest<T>(id: string | undefined, work: () => T): T {
  return current.getStore() === id ? work() : current.run(id, work)
}
