// Entry point of the worker thread that reads sources. See `reading-thread.ts`. Only this thread loads the libraries of
// the formats.
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'
import { cutPieces } from '@balcao/engine/ia/knowledge/cut'
import { rootPieces } from './root-pieces.ts'
import { UnreadableFile } from './formats/parsed.ts'
import { readFileBytes } from './formats/read-file.ts'
import { type ThreadAnswer, threadRequestSchema } from './reading-thread.ts'

/** Pieces of one message. The main thread copies them in a few milliseconds. */
const PART = 20
const PIECES_MAX = 10_000

/** Rests of one file, 18 s at most. */
const RESTS_MAX = 300
const REST_MS = 60

if (parentPort === null) throw new Error('reading worker started without a port')
const port = parentPort
const send = (message: ThreadAnswer): void => port.postMessage(message)

// On Linux 0 is this thread, elsewhere the process. Turns of customers go first.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

/** 1 while the turns of customers need the processor. */
const busy = z.instanceof(Int32Array).parse(workerData)

/**
 * Lets the turns of customers go first. The priority of the thread is not enough: two busy processors slow each other
 * down.
 */
function createRest(): () => Promise<void> {
  let left = RESTS_MAX
  return async () => {
    if (left === 0 || Atomics.load(busy, 0) === 0) return
    left -= 1
    await wait(REST_MS)
  }
}

for (;;) {
  const [data]: unknown[] = await once(port, 'message')
  const request = threadRequestSchema.parse(data)
  const rest = createRest()
  try {
    const { sections, titulo, links, noindex } = await readFileBytes(request.bytes, request.name, rest)
    const titled = sections.map((section) => ({
      ...section,
      secao: section.secao === '' ? request.secao : section.secao,
    }))
    const pieces = noindex && request.obeysNoindex ? [] : cutPieces(titled)
    if (pieces.length > PIECES_MAX) throw new UnreadableFile('O arquivo tem texto demais. Divida em arquivos menores.')
    for (let from = 0; from < pieces.length; from += PART) {
      send({ tipo: 'part', pieces: rootPieces(request.titulo, pieces.slice(from, from + PART)) })
      await once(port, 'message')
      await rest()
    }
    send({ tipo: 'done', titulo, links: [...links] })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    send({ tipo: 'refused', motivo: error.message })
  }
}
