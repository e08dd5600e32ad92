import { Worker } from 'node:worker_threads'
import * as z from 'zod/mini'
import { AppError } from '#errors.ts'
import { type CheckedRows, type ImportRow, importRowSchema, type RefusedRow, refusedRowSchema } from './rows.ts'

/** A file of 5 MB with 50,000 contatos takes about a second. */
const DEADLINE_MS = 10_000
/** The rows of a file of 5 MB take about 100 MB. */
const MEMORY_MB = 256

const WORKER = new URL('parse-worker.ts', import.meta.url)

/** The worker sends its rows in parts and waits for a request before the next one. */
const messageSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('part'), rows: z.array(importRowSchema), recusados: z.array(refusedRowSchema) }),
  z.object({ tipo: z.literal('done'), repeated: z.int() }),
  z.object({ tipo: z.literal('refused'), erro: z.string() }),
])
export type ParserMessage = z.output<typeof messageSchema>

/** In a worker thread, so that no content stops the event loop. Throws `dadosInvalidos`, also above a limit. */
export async function parseFile(
  bytes: Uint8Array,
  { deadlineMs, memoryMb } = { deadlineMs: DEADLINE_MS, memoryMb: MEMORY_MB },
): Promise<CheckedRows> {
  const { promise, resolve, reject } = Promise.withResolvers<CheckedRows>()
  const worker = new Worker(WORKER, {
    workerData: bytes,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const timer = setTimeout(() => reject(tooHard()), deadlineMs)
  const rows: ImportRow[] = []
  const recusados: RefusedRow[] = []
  worker.on('message', (data: unknown) => {
    const message = messageSchema.parse(data)
    if (message.tipo === 'refused') reject(new AppError('dadosInvalidos', { erro: message.erro }))
    else if (message.tipo === 'done') resolve({ rows, recusados, repeated: message.repeated })
    else {
      rows.push(...message.rows)
      recusados.push(...message.recusados)
      worker.postMessage('next')
    }
  })
  worker.on('error', (error) => reject(isOutOfMemory(error) ? tooHard() : error))
  worker.on('exit', () => reject(new Error('import worker ended without a result')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooHard(): AppError {
  return new AppError('dadosInvalidos', { erro: 'O arquivo é grande demais para ser lido. Divida em partes.' })
}
