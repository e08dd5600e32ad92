import { AsyncResource } from 'node:async_hooks'
import { createRequire } from 'node:module'

type Tarefa = () => Promise<unknown>

const consertadas = new WeakSet<object>()

/**
 * libsignal queues the work of a remote address in one list of the whole process and runs it in the async context of
 * whoever started the queue. Baileys finds its transaction through that context, so a queued step could land in a
 * transaction that is over, and its ratchet would be lost. Each step runs in the context of its own caller.
 * Only libsignal's copy in the module cache is changed; must run before libsignal is loaded.
 */
export function consertarFila(): void {
  const require = createRequire(import.meta.url)
  const caminho = require.resolve('libsignal/src/queue_job.js')
  const fila: unknown = require(caminho)
  const modulo = require.cache[caminho]
  // Who has the old one already keeps it: a fix that comes too late must not look like one.
  if (require.cache[require.resolve('libsignal/src/session_cipher.js')] !== undefined) {
    if (typeof fila === 'function' && consertadas.has(fila)) return
    throw new Error('libsignal was loaded before its fix')
  }
  if (modulo === undefined || typeof fila !== 'function') throw new Error('libsignal is not as this fix knows it')
  const consertada = (balde: unknown, tarefa: Tarefa): unknown => fila(balde, AsyncResource.bind(tarefa))
  consertadas.add(consertada)
  modulo.exports = consertada
}
