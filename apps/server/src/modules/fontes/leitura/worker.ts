// Entry point of the worker thread that reads sources. See `reading-thread.ts`. Only this thread loads the libraries of
// the formats.
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { cutPieces } from '@balcao/engine/ia/knowledge/cut'
import { rootPieces } from './root-pieces.ts'
import { UnreadableFile } from './formats/parsed.ts'
import { readFileBytes } from './formats/read-file.ts'
import { type ThreadAnswer, threadRequestSchema } from './reading-thread.ts'

/** Pieces of one message. The main thread copies them in a few milliseconds. */
const PART = 100
const PIECES_MAX = 10_000

if (parentPort === null) throw new Error('reading worker started without a port')
const port = parentPort
const send = (message: ThreadAnswer): void => port.postMessage(message)

// On Linux 0 is this thread, elsewhere the process. Turns of customers go first.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

for (;;) {
  const [data]: unknown[] = await once(port, 'message')
  const request = threadRequestSchema.parse(data)
  try {
    const { sections, titulo, links, noindex } = await readFileBytes(request.bytes, request.name)
    const titled = sections.map((section) => ({
      ...section,
      secao: section.secao === '' ? request.secao : section.secao,
    }))
    const pieces = noindex && request.obeysNoindex ? [] : cutPieces(titled)
    if (pieces.length > PIECES_MAX) throw new UnreadableFile('O arquivo tem texto demais. Divida em arquivos menores.')
    for (let from = 0; from < pieces.length; from += PART) {
      send({ tipo: 'part', pieces: rootPieces(request.titulo, pieces.slice(from, from + PART)) })
      await once(port, 'message')
    }
    send({ tipo: 'done', titulo, links: [...links] })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    send({ tipo: 'refused', motivo: error.message })
  }
}
