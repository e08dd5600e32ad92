import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import * as z from 'zod/mini'
import type { RootedPiece } from './root-pieces.ts'

/** A PDF of 200 pages takes about 3 s, and 15 s more on a node that is busy with turns. */
const DEADLINE_MS = 60_000
const MEMORY_MB = 384
/** Buffers are outside the heap of the thread. The process may grow by this much while it reads. */
const GROWTH_BYTES = 900_000_000
const WATCH_MS = 100
/** Busy share of the event loop, from which on the turns of customers need the processor. */
const BUSY_SHARE = 0.2

const WORKER = new URL('worker.ts', import.meta.url)

export const threadRequestSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  /** Name of the file. Its ending separates text, table and page. */
  name: z.string(),
  /** Title of the source. A question may name it. */
  titulo: z.string(),
  /** For text without a heading. */
  secao: z.string(),
  obeysNoindex: z.boolean(),
})
export type ThreadRequest = z.output<typeof threadRequestSchema>

const pieceSchema = z.object({
  pagina: z.optional(z.int()),
  ...{ secao: z.string(), texto: z.string(), roots: z.array(z.string()) },
})

const answerSchema = z.discriminatedUnion('tipo', [
  z.object({
    tipo: z.literal('part'),
    pieces: z.array(z.custom<RootedPiece>((one) => pieceSchema.safeParse(one).success)),
  }),
  z.object({ tipo: z.literal('done'), titulo: z.string(), links: z.array(z.string()) }),
  z.object({ tipo: z.literal('refused'), motivo: z.string() }),
])
export type ThreadAnswer = z.output<typeof answerSchema>

/** The source cannot be read, now or ever. `message` is Portuguese, for the owner. */
export class ReadingFailed extends Error {
  override readonly name = 'ReadingFailed'
}

const TOO_HARD = 'O arquivo é grande demais para ser lido. Divida em partes.'

export interface ReadText {
  readonly pieces: readonly RootedPiece[]
  readonly titulo: string
  readonly links: readonly string[]
}

/** A worker thread with limits of memory and time. It reads files in sequence and ends at the first error. */
export class ReadingThread {
  readonly #worker: Worker
  /** 1 while the turns of customers need the processor. Shared with the thread. */
  readonly #busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #broken: Promise<never>

  constructor({ memoryMb = MEMORY_MB }: { readonly memoryMb?: number } = {}) {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb }
    this.#worker = new Worker(WORKER, { execArgv: [], resourceLimits, workerData: this.#busy })
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined)
    this.#broken = promise
    this.#worker.on('error', (error) => reject(isOutOfMemory(error) ? new ReadingFailed(TOO_HARD) : error))
    this.#worker.on('exit', () => reject(new Error('reading worker ended without a result')))
  }

  /** Throws `ReadingFailed`, also above a limit. */
  async read(request: ThreadRequest, deadlineMs = DEADLINE_MS): Promise<ReadText> {
    const limits = this.#watch(deadlineMs)
    try {
      return await Promise.race([this.#exchange(request), this.#broken, limits.exceeded])
    } finally {
      limits.stop()
    }
  }

  async #exchange(request: ThreadRequest): Promise<ReadText> {
    const pieces: RootedPiece[] = []
    this.#worker.postMessage(request)
    for (;;) {
      const [data]: unknown[] = await once(this.#worker, 'message')
      const answer = answerSchema.parse(data)
      if (answer.tipo === 'refused') throw new ReadingFailed(answer.motivo)
      if (answer.tipo === 'done') return { pieces, titulo: answer.titulo, links: answer.links }
      pieces.push(...answer.pieces)
      this.#worker.postMessage('next')
    }
  }

  #watch(deadlineMs: number): { readonly exceeded: Promise<never>; readonly stop: () => void } {
    const { promise: exceeded, reject } = Promise.withResolvers<never>()
    exceeded.catch(() => undefined)
    const before = process.memoryUsage.rss()
    const giveUp = (): void => {
      reject(new ReadingFailed(TOO_HARD))
      void this.close()
    }
    const timer = setTimeout(giveUp, deadlineMs)
    let seen = performance.eventLoopUtilization()
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > GROWTH_BYTES) giveUp()
      const now = performance.eventLoopUtilization()
      const isBusy = performance.eventLoopUtilization(now, seen).utilization > BUSY_SHARE
      Atomics.store(this.#busy, 0, isBusy ? 1 : 0)
      seen = now
    }, WATCH_MS)
    return {
      exceeded,
      stop: () => {
        clearTimeout(timer)
        clearInterval(watch)
      },
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
