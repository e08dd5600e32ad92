// Entry point of the worker thread that reads a file of contatos. See `parse-file.ts`.
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '#errors.ts'
import { readFileText, checkRow, mergeRows } from './rows.ts'
import type { ParserMessage } from './parse-file.ts'
import { readCsv } from './read-csv.ts'
import { readVcards } from './read-vcards.ts'

/** Rows of one message. The main thread copies them in a few milliseconds. */
const PART = 1_000

if (parentPort === null || !(workerData instanceof Uint8Array)) throw new Error('import worker started without a file')
const port = parentPort
const send = (message: ParserMessage): void => port.postMessage(message)

try {
  const { kind, text } = readFileText(workerData)
  const read = kind === 'vcard' ? readVcards(text) : readCsv(text)
  const { rows, recusados, repeated } = mergeRows(read.map((row) => ('motivo' in row ? row : checkRow(row))))
  for (let from = 0; from < Math.max(rows.length, recusados.length); from += PART) {
    send({ tipo: 'part', rows: rows.slice(from, from + PART), recusados: recusados.slice(from, from + PART) })
    await once(port, 'message')
  }
  send({ tipo: 'done', repeated })
} catch (error) {
  if (!(error instanceof AppError)) throw error
  send({ tipo: 'refused', erro: String(error.dados['erro']) })
} finally {
  port.close()
}
