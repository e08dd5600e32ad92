import { randomUUID } from 'node:crypto'
import { type Fonte, TRECHOS_MAXIMO } from '@balcao/contract/entities/fonte'
import { cutPieces } from '@balcao/engine/ia/knowledge/cut'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { createJob, every, type Job, type PeriodicTask } from '#lib/every.ts'
import { announceFonte } from '../announce.ts'
import {
  claimFonte,
  type ClaimedFonte,
  countOtherTrechos,
  failReading,
  finishReading,
  giveBackReading,
  lockFontes,
  renewReading,
} from '../repository.ts'
import { storePieces } from '../trechos.ts'
import { crawlSite } from './crawl.ts'
import { ReadingFailed, ReadingThread } from './reading-thread.ts'
import { type RootedPiece, rootPieces } from './root-pieces.ts'
import { embedDueFontes } from './embed-fontes.ts'

/** The look for due work finds sources within a second. This one goes on while that look is held, as after a jump of the clock. */
const LOOK_MS = 60_000
/** A node that reads renews its lease. After it another node reads the source again. */
const LEASE_MS = 60_000
const RENEW_MS = 15_000
/** A source that ends the process is not read for ever. */
const ATTEMPTS_MAX = 3

const INTERRUPTED = 'A leitura foi interrompida várias vezes. Envie um arquivo menor.'
const UNKNOWN = 'A fonte não pôde ser lida. Tente de novo mais tarde.'

type ReaderDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'log' | 'crashPoint' | 'sites' | 'vault' | 'embeddings'>

/**
 * A node reads one file and one site at a time, outside any transaction. A slow site or provider holds up only its own
 * kind. The row of a source orders the nodes.
 */
export function createFonteReader(deps: ReaderDeps): Job & { readonly wake: () => void } {
  const stopping = new AbortController()
  const { signal } = stopping
  let tasks: readonly PeriodicTask[] = []
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'sources not read, retrying')
  const repeat = (task: () => Promise<void>): PeriodicTask => every({ ms: LOOK_MS, task, failed })
  const job = createJob(() => {
    const vectors = repeat(() => embedDueFontes(deps, signal))
    const readAll = async (sites: boolean): Promise<void> => {
      while (!signal.aborted && (await readNext(deps, sites, signal))) vectors.wake()
    }
    tasks = [repeat(() => readAll(false)), repeat(() => readAll(true)), vectors]
    return tasks
  })
  return {
    start: job.start,
    wake: () => {
      for (const task of tasks) task.wake()
    },
    stop: async () => {
      stopping.abort()
      await job.stop()
    },
  }
}

/** False when no source of this kind is due. */
async function readNext(deps: ReaderDeps, sites: boolean, stopping: AbortSignal): Promise<boolean> {
  const { db, clock } = deps
  const now = clock.now()
  const leitura = randomUUID()
  const until = new Date(now.getTime() + LEASE_MS)
  const fonte = await db.transaction('*', (tx) => claimFonte(tx, { now, until, leitura, sites }))
  if (fonte === null) return false
  await readClaimed(deps, { fonte, leitura }, stopping)
  return true
}

interface Reading {
  readonly fonte: ClaimedFonte
  readonly leitura: string
}

async function readClaimed(deps: ReaderDeps, reading: Reading, stopping: AbortSignal): Promise<void> {
  const { fonte, leitura } = reading
  const { contaId, id } = fonte
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  const renew = async (): Promise<void> => {
    const until = new Date(deps.clock.now().getTime() + LEASE_MS)
    const kept = await deps.db.transaction(contaId, (tx) => renewReading(tx, { contaId, id, leitura, until }))
    if (kept === 0) lost.abort()
  }
  const lease = every({ ms: RENEW_MS, task: renew, failed: () => undefined })
  try {
    if (fonte.tentativas > ATTEMPTS_MAX) throw new ReadingFailed(INTERRUPTED)
    const read = await readText(deps, fonte, signal)
    deps.crashPoint('fonte.lida')
    await store(deps, reading, read)
  } catch (error) {
    if (stopping.aborted) await giveBack(deps, reading)
    else if (!lost.signal.aborted) await fail(deps, reading, error)
  } finally {
    await lease.stop()
  }
}

interface ReadFonte {
  readonly titulo: string
  readonly pieces: readonly RootedPiece[]
  readonly bytes: number
}

async function readText(deps: ReaderDeps, fonte: ClaimedFonte, signal: AbortSignal): Promise<ReadFonte> {
  const { tipo, titulo, conteudo } = fonte
  // At most 100,000 characters, which need no parser.
  if (tipo === 'texto' && conteudo !== null) {
    const pieces = rootPieces(titulo, cutPieces([{ secao: '', texto: conteudo.toString('utf8') }]))
    return { titulo, pieces, bytes: conteudo.length }
  }
  return readInThread(deps, fonte, signal)
}

async function readInThread(deps: ReaderDeps, fonte: ClaimedFonte, signal: AbortSignal): Promise<ReadFonte> {
  const thread = new ReadingThread()
  const close = (): void => void thread.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    const { titulo, url, paginas, conteudo, arquivo } = fonte
    if (url !== null) {
      const crawled = await crawlSite(deps, thread, { url, paginas: paginas ?? 1, titulo, signal })
      const unnamed = titulo === new URL(url).host
      return { ...crawled, titulo: unnamed && crawled.titulo !== '' ? crawled.titulo.slice(0, 120) : titulo }
    }
    const bytes = conteudo ?? Buffer.alloc(0)
    const request = {
      bytes: new Uint8Array(bytes),
      name: arquivo ?? 'texto.txt',
      titulo,
      secao: '',
      obeysNoindex: false,
    }
    const { pieces } = await thread.read(request)
    return { titulo, pieces, bytes: bytes.length }
  } finally {
    signal.removeEventListener('abort', close)
    await thread.close()
  }
}

const tooMany = (free: number): string =>
  free <= 0
    ? 'Sua conta já tem 10.000 trechos. Exclua fontes antigas e leia esta de novo.'
    : `A fonte tem trechos demais: cabem mais ${free}. Divida a fonte ou exclua fontes antigas.`

async function store(deps: ReaderDeps, { fonte, leitura }: Reading, read: ReadFonte): Promise<void> {
  const { db, clock } = deps
  const { contaId, id } = fonte
  const { pieces, titulo, bytes } = read
  if (pieces.length === 0) throw new ReadingFailed('A fonte não tem texto que possa ser lido.')
  await db.transaction(contaId, async (tx) => {
    await lockFontes(tx, { contaId })
    const free = TRECHOS_MAXIMO - (await countOtherTrechos(tx, { contaId, id }))
    if (pieces.length > free) throw new ReadingFailed(tooMany(free))
    const done = { contaId, id, leitura, now: clock.now(), titulo, trechos: pieces.length, bytes }
    const ended = await finishReading(tx, done)
    // Deleted, or asked to be read again meanwhile.
    if (ended === null) return
    await storePieces(tx, { contaId, id }, pieces)
    announce(tx, deps, contaId, ended)
    deps.crashPoint('fonte.antes-commit')
  })
}

const announce = (tx: Tx, deps: ReaderDeps, contaId: string, fonte: Fonte): void =>
  announceFonte(tx, deps, contaId, fonte)

async function fail(deps: ReaderDeps, { fonte, leitura }: Reading, error: unknown): Promise<void> {
  const { contaId, id } = fonte
  const motivo = error instanceof ReadingFailed ? error.message : UNKNOWN
  if (!(error instanceof ReadingFailed)) deps.log.error({ err: error, contaId, fonte: id }, 'source not read')
  await deps.db.transaction(contaId, async (tx) => {
    const ended = await failReading(tx, { contaId, id, leitura, motivo })
    if (ended !== null) announce(tx, deps, contaId, ended)
  })
}

async function giveBack({ db, clock }: ReaderDeps, { fonte, leitura }: Reading): Promise<void> {
  const { contaId, id } = fonte
  await db.transaction(contaId, (tx) => giveBackReading(tx, { contaId, id, leitura, now: clock.now() }))
}
