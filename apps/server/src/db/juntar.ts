import type { Duplex } from 'node:stream'

const juntando = new WeakSet<Duplex>()

/**
 * What is written to this line until the end of the turn leaves in one call to the system. The statements of a transaction
 * follow each other without waiting for answers: each on its own would wake the kernel, and the database, once more.
 */
export function juntarEscritas(stream: Duplex): void {
  if (juntando.has(stream)) return
  juntando.add(stream)
  stream.cork()
  process.nextTick(() => {
    juntando.delete(stream)
    stream.uncork()
  })
}
