import type { Transcricao } from '@balcao/contract/entities/mensagem'
import { chavesOf, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { costOf, isBudgetUsed, priceOf } from '@balcao/engine/ia/price'
import { isWithinAudioLimits } from '@balcao/engine/ia/transcript/audio-limits'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { cleanServiceText } from '#lib/text.ts'
import { localDay } from '#lib/time.ts'
import { readArquivo } from '#modules/arquivos/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { findServed } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { addUsos, readMonth } from '#modules/ia/index.ts'
import { audienceOf, SERVER_READER } from '#modules/leitores/index.ts'
import { findMensagem, lockMensagem, setTranscricao } from '#modules/mensagens/index.ts'
import type { AiCallRecord, AiMidia } from '#ports/ai.ts'
import { transcribesAudio } from './new-mensagens.ts'
import { claimTranscricoes, endTranscricao, postponeTranscricao } from './queue.ts'

type TranscriberDeps = Pick<
  Deps,
  'db' | 'ids' | 'clock' | 'log' | 'vault' | 'files' | 'fleet' | 'ai' | 'realtime' | 'mailQueued' | 'crashPoint'
>
type Job = Awaited<ReturnType<typeof claimTranscricoes>>[number]

/** Longer than the provider and the database take. After it another node takes the voice notes of a dead process. */
const LEASE_MS = 90_000
const RETRY_WAITS_MS = [30_000, 300_000]
const ATTEMPTS_MAX = RETRY_WAITS_MS.length + 1
/** A conta with many voice notes takes its share of a node and not more. */
const PER_CONTA = 2
/** Over all contas. An audio of 10 MB takes about 40 MB while it is sent. */
const AT_ONCE = 6
const TRANSCRIPT_MAX = 16_000

/** Ends a job: the mark of the message. Null deletes the mark. */
type Ending = Transcricao | null

interface Outcome {
  readonly ending: Ending | 'retry' | 'stopped'
  /** Counted by the provider that was asked. The conta may have chosen another one since. */
  readonly used?: { readonly provedor: ProvedorIa; readonly registro: AiCallRecord }
}

const FAILED: Transcricao = { texto: '', estado: 'falhou' }

/**
 * Has voice notes written down. The messages were stored and announced before. The other timers of a conta do not wait for
 * the provider: `begin` resolves when the due voice notes are claimed.
 */
export class Transcriber {
  readonly #deps: TranscriberDeps
  readonly #stopping = new AbortController()
  /** By running attempt, its conta. */
  readonly #running = new Map<Promise<void>, string>()

  /** Slots of claims that were sent. */
  #claiming = 0

  constructor(deps: TranscriberDeps) {
    this.#deps = deps
  }

  async begin(contaId: string): Promise<void> {
    const { db, clock } = this.#deps
    const ofConta = [...this.#running.values()].filter((id) => id === contaId).length
    const max = Math.min(PER_CONTA - ofConta, AT_ONCE - this.#running.size - this.#claiming)
    if (max <= 0 || this.#stopping.signal.aborted) return
    const now = clock.now()
    const until = new Date(now.getTime() + LEASE_MS)
    this.#claiming += max
    try {
      const jobs = await db.transaction(contaId, (tx) => claimTranscricoes(tx, { contaId, now, until, max }))
      if (jobs.length > 0) this.#deps.crashPoint('transcricao.reivindicada')
      for (const job of jobs) this.#start(contaId, job)
    } finally {
      this.#claiming -= max
    }
  }

  /** Stopped attempts go to another node. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running.keys())
  }

  #start(contaId: string, job: Job): void {
    const running = this.#run(contaId, job)
      .catch((err: unknown) => this.#deps.log.error({ err, contaId }, 'transcript not stored, retrying'))
      .finally(() => this.#running.delete(running))
    this.#running.set(running, contaId)
  }

  async #run(contaId: string, job: Job): Promise<void> {
    const outcome = await this.#attempt(contaId, job)
    this.#deps.crashPoint('transcricao.respondida')
    await this.#deps.db.transaction(contaId, (tx) => settle(tx, this.#deps, contaId, job, outcome))
  }

  async #attempt(contaId: string, { midia, tentativas }: Job): Promise<Outcome> {
    const again = tentativas < ATTEMPTS_MAX ? 'retry' : FAILED
    // The process died during the last attempt.
    if (tentativas > ATTEMPTS_MAX) return { ending: FAILED }
    const now = this.#deps.clock.now()
    const { config, month } = await this.#deps.db.read(contaId, async (tx) => ({
      ...(await loadConfig(tx, this.#deps, contaId)),
      month: await readMonth(tx, contaId, now),
    }))
    const hasBudget = !isBudgetUsed(month.cost, config.ia.orcamentoCentavosMes)
    if (!transcribesAudio(config) || !hasBudget) return { ending: null }
    const audio = await readAudio(this.#deps, contaId, midia)
    if (audio === 'elsewhere') return { ending: again }
    if (audio === null) return { ending: null }
    const { signal } = this.#stopping
    const { provedor, modeloGemini: modelo } = config.ia
    const request = { contaId, provedor, apiKey: chavesOf(config)[provedor], modelo, audio }
    const answer = await this.#deps.ai.transcribe(request, signal)
    if (answer.tipo === 'falha' && signal.aborted) return { ending: 'stopped' }
    const { registro } = answer
    return {
      ending: answer.tipo === 'texto' ? readyTranscript(answer.texto) : again,
      ...(registro === undefined ? {} : { used: { provedor, registro } }),
    }
  }
}

/** Null for a deleted file, and for one above the limits. */
async function readAudio(
  deps: TranscriberDeps,
  contaId: string,
  midia: Job['midia'],
): Promise<AiMidia | 'elsewhere' | null> {
  const audio = midia?.url === undefined ? null : await readArquivo(deps, contaId, midia.url)
  if (audio === null) return !deps.files.shared && deps.fleet.others().length > 0 ? 'elsewhere' : null
  return isWithinAudioLimits(audio.bytes) ? audio : null
}

function readyTranscript(texto: string): Transcricao {
  return { texto: cleanServiceText(texto, TRANSCRIPT_MAX), estado: 'pronta' }
}

async function settle(
  tx: Tx,
  deps: TranscriberDeps,
  contaId: string,
  { mensagemId, tentativas }: Job,
  { ending, used }: Outcome,
): Promise<void> {
  const attempt = { contaId, mensagemId, tentativas }
  const now = deps.clock.now()
  if (ending === 'retry' || ending === 'stopped') {
    const waitMs = ending === 'retry' ? (RETRY_WAITS_MS[tentativas - 1] ?? 0) : 0
    await postponeTranscricao(tx, { ...attempt, until: new Date(now.getTime() + waitMs), counted: ending === 'retry' })
  } else {
    await storeEnding(tx, deps, attempt, ending)
  }
  if (used === undefined) return
  const { provedor, registro } = used
  const { config } = await loadConfig(tx, deps, contaId)
  const { modelo, tokensEntrada, tokensSaida } = registro
  const day = localDay(now, config.atendimento.horario.fuso)
  const falhas = ending === FAILED || ending === 'retry' ? 1 : 0
  const custo = costOf(priceOf(provedor, modelo, day), registro)
  const orcamento = config.ia.orcamentoCentavosMes
  await addUsos(tx, deps, [{ contaId, day, falhas, tokensEntrada, tokensSaida, custo, orcamento }])
}

async function storeEnding(
  tx: Tx,
  { realtime }: TranscriberDeps,
  attempt: Parameters<typeof endTranscricao>[1],
  transcricao: Ending,
): Promise<void> {
  const { contaId, mensagemId } = attempt
  const locked = await lockMensagem(tx, attempt)
  if (locked === null || (await endTranscricao(tx, attempt)) === null) return
  await setTranscricao(tx, { contaId, mensagemId, transcricao })
  const { conversaId } = locked
  const served = await findServed(tx, contaId, conversaId, SERVER_READER)
  if (served === null) return
  const mensagem = await findMensagem(tx, contaId, mensagemId, nameOrPhone(served))
  if (mensagem === null) return
  const event = { userId: contaId, conversaId, mensagem, marcada: true }
  tx.afterCommit(() => realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audienceOf(served)))
}
