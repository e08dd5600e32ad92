import { setTimeout as dormir } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { MessageChange, SessionHost, JournalEntry, Midia, Person, InboundMessage } from './anfitriao.ts'
import { missingIdOf, readMissing } from './ausentes.ts'
import type { MediaServer } from './armazem.ts'
import { messageOfEntry, isChange, type Self, readMissedCall, type PhoneOfLid, toInbound } from './mensagem.ts'
import { downloadMedia } from './midia.ts'
import type { UnreadMessages } from './nao-lidas.ts'
import type { LogFailure } from './registro.ts'

/** Passes journal entries to the host in order. An entry is deleted only after the host stored its message. */
export interface Inbound {
  readonly arrived: (chegada: JournalEntry) => void
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
  readonly isOpen: (chegada: JournalEntry) => boolean
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
  const emAndamento = new Set<string>()
  const doDiario = new Set<string>()
  const pessoas = new Map<string, Promise<unknown>>()
  let fila: Promise<void> = Promise.resolve()
  let fechada = false
  let nova: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** Retries in place, so that later messages do not overtake this one. */
  const insistir = async <T>(passo: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      try {
        return await passo()
      } catch (erro) {
        if (fechada || vez >= MAX_ATTEMPTS) throw erro
        logFailure(erro, 'message step failed, retrying')
        await Promise.race([dormir(retryMs, undefined, { ref: false }), acabou])
      }
    }
  }
  const numeroDe: PhoneOfLid = (lid) =>
    insistir(() => phoneOfLid(lid)).catch((erro: unknown) => {
      depois(erro)
      throw erro
    })

  /** Messages are converted in order; the host stores messages of different people in parallel. */
  const naOrdem = (passo: () => Promise<void>): void => {
    fila = fila.then(passo).catch((erro: unknown) => logFailure(erro, 'message not read'))
  }

  /** `feito` runs after the host stored the message, `fim` in any case. */
  const entregar = async (mensagem: WAMessage, feito: () => Promise<void>, fim: () => void): Promise<void> => {
    const recebida = await toInbound(mensagem, self(), numeroDe)
    if (fechada) return fim()
    if (recebida?.deMim === false && !isChange(recebida)) unread.arrived(recebida.endereco, mensagem.key)
    levar(recebida, mensagem.message, feito, fim)
  }

  const levar = (
    recebida: InboundMessage | MessageChange | null,
    conteudo: WAMessage['message'],
    feito: () => Promise<void>,
    fim: () => void,
  ): void => {
    const entregue =
      recebida === null
        ? feito()
        : naVezDe(recebida, () => receber(conteudo, recebida)).then((tem) => (tem ? feito() : retomar()))
    // Not awaited, so messages of other people do not wait.
    void entregue.catch(depois).finally(fim)
  }

  /** Messages of one person wait for each other, whatever the address, for example while a file is downloaded. */
  const naVezDe = <T>({ endereco, telefone }: Person, passo: () => Promise<T>): Promise<T> => {
    const quem = telefone === '' ? endereco : telefone
    const anterior = pessoas.get(quem)
    const feito = anterior === undefined ? passo() : anterior.then(passo, passo)
    pessoas.set(quem, feito)
    const sair = (): void => {
      if (pessoas.get(quem) === feito) pessoas.delete(quem)
    }
    feito.then(sair, sair)
    return feito
  }

  /** Returns false if the change may succeed later; the entry then stays in the journal. */
  const receber = async (message: WAMessage['message'], recebida: InboundMessage | MessageChange): Promise<boolean> => {
    if (!isChange(recebida)) {
      await receberMensagem(message, recebida)
      return true
    }
    const { alvo } = recebida
    const faltava = isMissing(alvo)
    const mudou = await insistir(async () => host.change({ ...recebida, alvo: await externalIdOf(alvo) }))
    return mudou || !faltava
  }

  const receberMensagem = async (message: WAMessage['message'], recebida: InboundMessage): Promise<void> => {
    const ausente = missingIdOf(recebida.id)
    // An earlier process stored the real message, and the server repeated it because the confirmation was lost.
    if (ausente !== null && (await insistir(() => host.findQuoted(recebida, ausente))) !== null) return
    if (recebida.midia === undefined) return insistir(() => host.receive(recebida))
    const guardada = await guardar(message).catch((erro: unknown) => logFailure(erro, 'media file not stored'))
    const midia = guardada ?? recebida.midia
    // The session closed before the message was stored. The next session reads it from the journal.
    if (fechada) throw new Error('session closed')
    await insistir(() => host.receive({ ...recebida, midia }))
  }

  const guardar = async (mensagem: WAMessage['message']): Promise<Midia | undefined> => {
    const arquivo = await downloadMedia(mensagem, mediaServer)
    return arquivo === null ? undefined : host.storeMedia(arquivo.bytes, arquivo.nome)
  }

  const depois = (erro: unknown): void => {
    if (fechada) return
    logFailure(erro, 'message not passed to the host, retrying')
    retomar()
  }

  const retomar = (): void => {
    if (fechada) return
    nova ??= setTimeout(() => {
      nova = undefined
      void recuperar()
    }, retryMs)
  }

  const chegou = (chegada: JournalEntry): void => {
    const { id } = chegada
    if (fechada || emAndamento.has(id)) return
    emAndamento.add(id)
    const fim = (): void => void emAndamento.delete(id)
    const feito = (): Promise<void> => host.keys.completeEntry(id)
    const abrir = async (): Promise<void> => {
      const avulsa = (await readMissedCall(chegada, numeroDe)) ?? (await readMissing(chegada, self(), numeroDe))
      if (avulsa !== null) return fechada ? fim() : levar(avulsa, null, feito, fim)
      const mensagem = messageOfEntry(chegada, self())
      lembrar(mensagem.key.id ?? '')
      contentArrived(mensagem.key.id ?? '')
      await entregar(mensagem, feito, fim)
    }
    naOrdem(() =>
      abrir().catch((erro: unknown) => {
        fim()
        throw erro
      }),
    )
  }

  const lembrar = (id: string): void => {
    doDiario.add(id)
    if (doDiario.size > REMEMBERED) doDiario.delete(doDiario.keys().next().value ?? '')
  }

  const recuperar = async (): Promise<void> => {
    try {
      for (const chegada of await host.keys.listEntries()) {
        if (!emAndamento.has(chegada.id) && !isOpen(chegada)) chegou(chegada)
      }
    } catch (erro) {
      depois(erro)
    }
  }

  return {
    arrived: chegou,
    reported: (mensagem) => {
      // A stub could not be decrypted; the library has already requested the message again.
      if (fechada || !mensagem.message) return
      // Runs after queued journal entries, because only then `doDiario` is complete.
      naOrdem(async () => {
        const { id } = mensagem.key
        // Until the host has stored the message, only its entry as missing is in the journal.
        const feito = async (): Promise<void> => contentArrived(id ?? '')
        if (doDiario.has(id ?? '')) return feito()
        await entregar(mensagem, feito, () => {})
      })
    },
    recover: recuperar,
    close: () => {
      fechada = true
      clearTimeout(nova)
      acabar()
    },
  }
}
