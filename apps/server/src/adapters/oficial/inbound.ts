import { setTimeout as dormir } from 'node:timers/promises'
import type { SessionHost } from '@balcao/connector/port'
import type { OficialJournalEntry, OficialJournal } from '#ports/oficial.ts'
import { type MetaChange, parseMetaChange } from './change.ts'
import { createChanges } from './changes.ts'
import { type WebhookEvent, journalEntrySchema } from './webhook-parse.ts'
import { parseMetaMessage, type MetaMessage } from './content.ts'
import { createWaitingChanges } from './wait.ts'

/** Delivers journal entries to the bot, in order per contato, and deletes each once the bot has stored it. */
export interface MetaInbound {
  /** The journal has new entries. Resolves when all statuses of our messages in it have been handled. */
  readonly arrived: () => Promise<void>
  readonly close: () => void
}

export interface MetaInboundOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'receive' | 'change' | 'findQuoted'>
  readonly journal: OficialJournal
  /**
   * Downloads the file of a message. Without its file the message still names the type of media. Fails only when a
   * later attempt may succeed.
   */
  readonly withFile: (mensagem: MetaMessage) => Promise<MetaMessage['inbound']>
  readonly onStatus: (status: Extract<WebhookEvent, { tipo: 'status' }>) => Promise<void>
  readonly report: (error: unknown, oQue: string) => void
}

const WAIT_MS = 2_000
/** After this many attempts, later messages of the same person stop waiting for it. */
const ATTEMPTS = 30

export function createInbound({ host, journal, withFile, onStatus, report }: MetaInboundOptions): MetaInbound {
  const { contaId } = host
  const inProgress = new Set<string>()
  const noticias = new Set<Promise<void>>()
  const adiadas = new Set<string>()
  const espera = createWaitingChanges(() => void chegou())
  const update = createChanges(host)
  const pessoas = new Map<string, Promise<unknown>>()
  let reading: Promise<void> | null = null
  let denovo = false
  let closed = false
  let fresh: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** Retries while the store fails, because the next message of the same person must not overtake this one. */
  const retry = async <T>(step: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      if (closed) throw new Error('session closed')
      try {
        return await step()
      } catch (error) {
        if (closed || vez >= ATTEMPTS) throw error
        report(error, 'webhook entry not delivered, retrying')
        await Promise.race([dormir(WAIT_MS, undefined, { ref: false }), acabou])
      }
    }
  }

  const read = async (): Promise<void> => {
    do {
      denovo = false
      const arrivals = await journal.listEntries(contaId, [...inProgress, ...adiadas, ...espera.ids()])
      const parsed = arrivals.map(openEntry).toSorted((a, b) => a.sentMs - b.sentMs)
      for (const lida of parsed) comecar(lida)
      // A non-empty page: there may be more entries.
      if (arrivals.length > 0) denovo = true
    } while (continuar())
  }
  const continuar = (): boolean => denovo && !closed

  const comecar = (lida: OpenEntry): void => {
    const { id } = lida
    const done = deliver(lida)
      .then((ready) => (ready ? id : esperar(lida)))
      .then((acabada) => (acabada === null ? undefined : journal.completeEntry(contaId, [acabada])))
      .catch((error: unknown) => {
        adiadas.add(id)
        after(error)
      })
      .finally(() => {
        inProgress.delete(id)
        noticias.delete(done)
      })
    inProgress.add(id)
    // Callers wait only for statuses; a file would take too long.
    if (lida.entry?.tipo === 'status') noticias.add(done)
  }

  /** Returns false when the changed message has not arrived. */
  const deliver = async ({ entry, message, change, arrivedAt }: OpenEntry): Promise<boolean> => {
    if (entry?.tipo === 'status') await onStatus(entry)
    else if (change !== null) {
      const agoMs = Date.now() - arrivedAt.getTime()
      return naVezDe(change.change.endereco, () => retry(() => update(change, agoMs)))
    } else if (message !== null) await naVezDe(message.inbound.endereco, () => receber(message))
    return true
  }

  /** Id of an entry that waited too long and must be dropped, or null. */
  const esperar = ({ id, change, arrivedAt }: OpenEntry): string | null =>
    change === null || closed ? null : espera.wait(id, change.change.alvo, Date.now() - arrivedAt.getTime())

  const receber = async (mensagem: MetaMessage): Promise<void> => {
    const received = await withFile(mensagem)
    await retry(async () => {
      // Meta sends only the id of the quoted message, not its text.
      const citada = mensagem.quotedId === undefined ? null : await host.findQuoted(received, mensagem.quotedId)
      if (closed) throw new Error('session closed')
      await host.receive(citada === null ? received : { ...received, citada })
    })
    if (espera.arrived(received.id)) void chegou()
  }

  /** Serialises messages per contato, because a file takes time and later messages of the same contato must wait. */
  const naVezDe = <T>(address: string, step: () => Promise<T>): Promise<T> => {
    const done = (pessoas.get(address) ?? Promise.resolve()).then(step, step)
    pessoas.set(address, done)
    const leave = (): void => {
      if (pessoas.get(address) === done) pessoas.delete(address)
    }
    done.then(leave, leave)
    return done
  }

  const after = (error: unknown): void => {
    if (closed) return
    report(error, 'webhook entry not delivered, retrying')
    fresh ??= setTimeout(() => {
      fresh = undefined
      adiadas.clear()
      void chegou()
    }, WAIT_MS)
  }

  const chegou = async (): Promise<void> => {
    // A call during a read may concern entries that this read does not contain, so it reads again.
    denovo = true
    if (closed) return
    reading ??= read()
      .catch(after)
      .finally(() => (reading = null))
    await reading
    await Promise.all(noticias)
  }

  return {
    arrived: chegou,
    close: () => {
      closed = true
      espera.close()
      clearTimeout(fresh)
      acabar()
    },
  }
}

interface OpenEntry {
  readonly id: string
  readonly entry: WebhookEvent | null
  readonly message: MetaMessage | null
  readonly change: MetaChange | null
  readonly arrivedAt: Date
  /** Meta's webhooks arrive in any order, so waiting entries are sorted by this time. */
  readonly sentMs: number
}

function openEntry({ id, valor, arrivedAt: instant }: OficialJournalEntry): OpenEntry {
  // Rounded to seconds like Meta's timestamps; entries of one second keep the order of the journal.
  const chegouEm = new Date(Math.floor(instant.getTime() / 1_000) * 1_000)
  const lida = journalEntrySchema.safeParse(JSON.parse(valor))
  const news = lida.success ? lida.data : null
  const deles = news?.tipo === 'mensagem' ? news : null
  const mensagem = deles === null ? null : parseMetaMessage(deles.mensagem, { ...deles, chegouEm })
  const alteracao = deles === null ? null : parseMetaChange(deles.mensagem, { ...deles, chegouEm })
  return {
    ...{ id, entry: news, message: mensagem, change: alteracao, arrivedAt: chegouEm },
    sentMs: (mensagem?.inbound.enviadaEm ?? alteracao?.at)?.getTime() ?? 0,
  }
}
