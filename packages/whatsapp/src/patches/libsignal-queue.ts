import { AsyncResource } from 'node:async_hooks'
import { createRequire } from 'node:module'

type Task = () => Promise<unknown>

const patched = new WeakSet<object>()

/**
 * libsignal queues the work for a remote address in one list per process and runs it in the async context of the
 * first caller. Baileys finds its transaction through that context, so a queued step could run in a finished
 * transaction and lose its ratchet. The fix runs each step in the context of its caller. It changes libsignal's
 * module cache, so it must run before libsignal is loaded.
 */
export function patchLibsignalQueue(): void {
  const require = createRequire(import.meta.url)
  const path = require.resolve('libsignal/src/queue_job.js')
  const queue: unknown = require(path)
  const modulo = require.cache[path]
  // Modules that are already loaded keep the old queue, so a late fix must fail.
  if (require.cache[require.resolve('libsignal/src/session_cipher.js')] !== undefined) {
    if (typeof queue === 'function' && patched.has(queue)) return
    throw new Error('libsignal loaded before its fix')
  }
  if (modulo === undefined || typeof queue !== 'function') throw new Error('unknown version of libsignal’s queue')
  const consertada = (balde: unknown, task: Task): unknown => queue(balde, AsyncResource.bind(task))
  patched.add(consertada)
  modulo.exports = consertada
}
