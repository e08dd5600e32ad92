import { setTimeout as dormir } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { MessageChange, SessionHost, JournalEntry, InboundMessage } from '@balcao/connector/port'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Person } from '#inbound/message.ts'
import { missingIdOf, readMissing } from './missing.ts'
import type { MediaServer } from '#outbound/media-server.ts'
import { messageOfEntry, isChange, type Self, readMissedCall, type PhoneOfLid, toInbound } from './message.ts'
import { downloadMedia } from '#outbound/media.ts'
import type { UnreadMessages } from './unread.ts'
import type { LogFailure } from '#log-failure.ts'

/** Passes journal entries to the host in order. An entry is deleted only after the host stored its message. */
export interface Inbound {
  readonly arrived: (arrival: JournalEntry) => void
  readonly reported: (mensagem: WAMessage) => void
  readonly recover: () => Promise<void>
  readonly close: () => void
}

export interface InboundOptions {
  readonly host: Pick<SessionHost, 'keys' | 'receive' | 'change' | 'findQuoted' | 'storeMedia'>
  readonly mediaServer: MediaServer
  readonly unread: Pick<UnreadMessages, 'arrived'>
  readonly self: () => Self
  readonly phoneOfLid: PhoneOfLid
  /** True while a journal entry is still open: a ringing call, or a message whose content may arrive. */
  readonly isOpen: (arrival: JournalEntry) => boolean
  readonly contentArrived: (id: string) => void
  readonly isMissing: (id: string) => boolean
  readonly externalIdOf: (id: string) => Promise<string>
  readonly logFailure: LogFailure
  readonly retryMs?: number
}

const RETRY_MS = 2_000
/** After this many failures later messages of the same person stop waiting. */
const MAX_ATTEMPTS = 30
const REMEMBERED = 2_000

export function createInbound({
  host,
  mediaServer,
  unread,
  self,
  phoneOfLid,
  isOpen,
  contentArrived,
  isMissing,
  externalIdOf,
  logFailure,
  retryMs = RETRY_MS,
}: InboundOptions): Inbound {
  const inProgress = new Set<string>()
  const doDiario = new Set<string>()
  const pessoas = new Map<string, Promise<unknown>>()
  let queue: Promise<void> = Promise.resolve()
  let closed = false
  let fresh: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** Retries in place, so that later messages do not overtake this one. */
  const retry = async <T>(step: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      try {
        return await step()
      } catch (error) {
        if (closed || vez >= MAX_ATTEMPTS) throw error
        logFailure(error, 'message step failed, retrying')
        await Promise.race([dormir(retryMs, undefined, { ref: false }), acabou])
      }
    }
  }
  const numeroDe: PhoneOfLid = (lid) =>
    retry(() => phoneOfLid(lid)).catch((error: unknown) => {
      after(error)
      throw error
    })

  /** Messages are converted in order; the host stores messages of different people in parallel. */
  const naOrdem = (step: () => Promise<void>): void => {
    queue = queue.then(step).catch((error: unknown) => logFailure(error, 'message not read'))
  }

  /** `feito` runs after the host stored the message, `fim` in any case. */
  const deliver = async (mensagem: WAMessage, done: () => Promise<void>, fim: () => void): Promise<void> => {
    const received = await toInbound(mensagem, self(), numeroDe)
    if (closed) return fim()
    if (received?.deMim === false && !isChange(received)) unread.arrived(received.endereco, mensagem.key)
    levar(received, mensagem.message, done, fim)
  }

  const levar = (
    received: InboundMessage | MessageChange | null,
    content: WAMessage['message'],
    done: () => Promise<void>,
    fim: () => void,
  ): void => {
    const store = async (): Promise<void> => {
      const stored = received === null || (await naVezDe(received, () => receber(content, received)))
      if (stored) await done()
      else resume()
    }
    // Not awaited, so messages of other people do not wait.
    void store().catch(after).finally(fim)
  }

  /** Messages of one person wait for each other, whatever the address, for example while a file is downloaded. */
  const naVezDe = <T>({ endereco, telefone }: Pick<Person, 'endereco' | 'telefone'>, step: () => Promise<T>): Promise<T> => {
    const quem = telefone === '' ? endereco : telefone
    const previous = pessoas.get(quem)
    const done = previous === undefined ? step() : previous.then(step, step)
    pessoas.set(quem, done)
    const leave = (): void => {
      if (pessoas.get(quem) === done) pessoas.delete(quem)
    }
    done.then(leave, leave)
    return done
  }

  /** Returns false if the change may succeed later; the entry then stays in the journal. */
  const receber = async (message: WAMessage['message'], received: InboundMessage | MessageChange): Promise<boolean> => {
    if (!isChange(received)) {
      await receberMensagem(message, received)
      return true
    }
    const { alvo } = received
    const faltava = isMissing(alvo)
    const changed = await retry(async () => host.change({ ...received, alvo: await externalIdOf(alvo) }))
    return changed || !faltava
  }

  const receberMensagem = async (message: WAMessage['message'], received: InboundMessage): Promise<void> => {
    const ausente = missingIdOf(received.id)
    // An earlier process stored the real message, and the server repeated it because the confirmation was lost.
    if (ausente !== null && (await retry(() => host.findQuoted(received, ausente))) !== null) return
    if (received.midia === undefined) return retry(() => host.receive(received))
    const stored = await store(message).catch((error: unknown) => logFailure(error, 'media file not stored'))
    const midia = stored ?? received.midia
    // The session closed before the message was stored. The next session reads it from the journal.
    if (closed) throw new Error('session closed')
    await retry(() => host.receive({ ...received, midia }))
  }

  const store = async (mensagem: WAMessage['message']): Promise<Midia | undefined> => {
    const arquivo = await downloadMedia(mensagem, mediaServer)
    return arquivo === null ? undefined : host.storeMedia(arquivo.bytes, arquivo.nome)
  }

  const after = (error: unknown): void => {
    if (closed) return
    logFailure(error, 'message not passed to the host, retrying')
    resume()
  }

  const resume = (): void => {
    if (closed) return
    fresh ??= setTimeout(() => {
      fresh = undefined
      void recuperar()
    }, retryMs)
  }

  const chegou = (arrival: JournalEntry): void => {
    const { id } = arrival
    if (closed || inProgress.has(id)) return
    inProgress.add(id)
    const fim = (): void => void inProgress.delete(id)
    const done = (): Promise<void> => host.keys.completeEntry(id)
    const open = async (): Promise<void> => {
      const avulsa = (await readMissedCall(arrival, numeroDe)) ?? (await readMissing(arrival, self(), numeroDe))
      if (avulsa !== null) return closed ? fim() : levar(avulsa, null, done, fim)
      const mensagem = messageOfEntry(arrival, self())
      remember(mensagem.key.id ?? '')
      contentArrived(mensagem.key.id ?? '')
      await deliver(mensagem, done, fim)
    }
    naOrdem(() =>
      open().catch((error: unknown) => {
        fim()
        throw error
      }),
    )
  }

  const remember = (id: string): void => {
    doDiario.add(id)
    if (doDiario.size > REMEMBERED) doDiario.delete(doDiario.keys().next().value ?? '')
  }

  const recuperar = async (): Promise<void> => {
    try {
      for (const arrival of await host.keys.listEntries()) {
        if (!inProgress.has(arrival.id) && !isOpen(arrival)) chegou(arrival)
      }
    } catch (error) {
      after(error)
    }
  }

  return {
    arrived: chegou,
    reported: (mensagem) => {
      // A stub could not be decrypted; the library has already requested the message again.
      if (closed || !mensagem.message) return
      // Runs after queued journal entries, because only then `doDiario` is complete.
      naOrdem(async () => {
        const { id } = mensagem.key
        // Until the host has stored the message, only its entry as missing is in the journal.
        const done = async (): Promise<void> => contentArrived(id ?? '')
        if (doDiario.has(id ?? '')) return done()
        await deliver(mensagem, done, () => {})
      })
    },
    recover: recuperar,
    close: () => {
      closed = true
      clearTimeout(fresh)
      acabar()
    },
  }
}
