import { createStoreMedia } from '@balcao/connector/store-media'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MessageChange, InboundMessage, SessionHost } from '@balcao/connector/port'
import { parseWebQuote, parseWebContent } from './content.ts'
import { classifyOpenFailure, withTimeout } from './failures.ts'
import {
  chatIdOf,
  type FindPerson,
  fromWebAddress,
  isPerson,
  type WebPerson,
  webFileSchema,
  type WebKey,
  type Downloadable,
  webKeyId,
  webMessageSchema,
  type WebMessage,
  isDownloadable,
} from './shapes.ts'
import type { OwnMessages } from './own-messages.ts'

/**
 * Delivers messages of the page to the bot: each once, in order per person, with retries until the bot has stored
 * it.
 */
export interface WebInbound {
  /** `antiga`: found in the page after a reconnect, not received live. */
  readonly arrived: (raw: unknown, quem: FindPerson, opcoes?: { readonly antiga: boolean }) => void
  readonly changed: (mudada: WebChange, quem: FindPerson) => void
  /** Everything up to this second was received; null before the first message. */
  readonly receivedUntil: () => number | null
  readonly close: () => void
}

export interface WebChange extends Pick<MessageChange, 'deMim' | 'mudanca'> {
  readonly key: WebKey
  readonly chatId: string
}

export interface WebInboundOptions {
  readonly host: Pick<SessionHost, 'receive' | 'change' | 'storeMedia'>
  readonly ownMessages: OwnMessages
  readonly report: (error: unknown, oQue: string) => void
  readonly fetchMessage: (idWeb: string) => Promise<unknown>
  readonly waitMs?: number
}

const WAIT_MS = 2_000
const DOWNLOAD_MS = 60_000
/** Attempts over a browser restart; after the last one the message is stored without its file. */
const DOWNLOAD_ATTEMPTS = 30
const MAX_BYTES = 5 * 1024 * 1024
const MAX_SEEN = 5_000

export function createInbound(options: WebInboundOptions): WebInbound {
  const { host, ownMessages, report, fetchMessage, waitMs = WAIT_MS } = options
  const guardarMidia = createStoreMedia(host, report)
  const pessoas = new Map<string, Promise<void>>()
  const seen = new Set<string>()
  const pending = new Map<string, number>()
  let largest: number | null = null
  let closed = false
  const { promise: fim, resolve: acabar } = Promise.withResolvers<void>()

  /** Serialises messages per person, because a file takes time and later messages of the same person must wait. */
  const naVezDe = (address: string, step: () => Promise<void>): Promise<void> => {
    const done = (pessoas.get(address) ?? Promise.resolve()).then(step)
    pessoas.set(address, done)
    void done.finally(() => {
      if (pessoas.get(address) === done) pessoas.delete(address)
    })
    return done
  }

  /** Never rejects. Retries until the step succeeds or the session closes. */
  const retry = async (step: () => Promise<void>): Promise<boolean> => {
    while (estaAberta()) {
      try {
        await step()
        return true
      } catch (error) {
        report(error, 'message not delivered, retrying')
        await wait()
      }
    }
    return false
  }
  const estaAberta = (): boolean => !closed
  const wait = (): Promise<unknown> => Promise.race([new Promise((resolve) => setTimeout(resolve, waitMs)), fim])

  const see = (idWeb: string): boolean => {
    if (seen.has(idWeb)) return false
    seen.add(idWeb)
    if (seen.size > MAX_SEEN) seen.delete(seen.keys().next().value ?? '')
    return true
  }

  const read = async (raw: unknown, mensagem: WebMessage, quem: FindPerson): Promise<InboundMessage | null> => {
    const content = parseWebContent(mensagem)
    if (content === null) return null
    const pessoa = await quem(chatIdOf(mensagem))
    const midia = content.midia === undefined ? undefined : await store(raw, mensagem, content.midia)
    const deMim = mensagem.id.fromMe
    return {
      ...pessoa,
      id: webKeyId(mensagem.id),
      nome: deMim ? '' : (mensagem._data?.notifyName ?? ''),
      texto: content.texto,
      ...(midia === undefined ? {} : { midia }),
      ...quotedOf(mensagem, pessoa),
      deMim,
      enviadaEm: new Date(mensagem.timestamp * 1_000),
    }
  }

  const baixar = async (first: Downloadable, idWeb: string): Promise<unknown> => {
    let raw = first
    for (let vez = 1; ; vez += 1) {
      try {
        return await withTimeout(raw.downloadMedia(), DOWNLOAD_MS)
      } catch (error) {
        if (vez >= DOWNLOAD_ATTEMPTS || !estaAberta() || classifyOpenFailure(error).motivo !== 'navegadorCaiu')
          throw error
        await wait()
        const other = await fetchMessage(idWeb).catch(() => null)
        if (isDownloadable(other)) raw = other
      }
    }
  }

  const store = async (raw: unknown, { hasMedia, id }: WebMessage, midia: Midia): Promise<Midia> => {
    if (!hasMedia || !isDownloadable(raw) || (midia.tamanhoBytes ?? 0) > MAX_BYTES) return midia
    try {
      const { data, filename } = webFileSchema.parse(await baixar(raw, webKeyId(id)))
      const bytes = Buffer.from(data, 'base64')
      if (bytes.length > MAX_BYTES) return midia
      return await guardarMidia(bytes, filename ?? '')
    } catch (error) {
      report(error, 'media not stored')
      return midia
    }
  }

  const receber = async (raw: unknown, mensagem: WebMessage, quem: FindPerson, old: boolean): Promise<void> => {
    if (mensagem.id.fromMe) {
      await ownMessages.allKnown()
      if ((await ownMessages.idExternoOf(mensagem)) !== null) return
      // Old browser message without a match in ours. It does not prove that the owner serves this customer now.
      if (old && mensagem.id.id.startsWith('3EB0')) return
    }
    const received = await read(raw, mensagem, quem)
    if (received !== null && estaAberta()) await host.receive(received)
  }

  return {
    arrived: (raw, quem, { antiga } = { antiga: false }) => {
      const { data: mensagem } = webMessageSchema.safeParse(raw)
      if (closed || mensagem === undefined || mensagem.isStatus || mensagem.broadcast) return
      const idWeb = webKeyId(mensagem.id)
      if (!isPerson(chatIdOf(mensagem)) || mensagem.from === mensagem.to || !see(idWeb)) return
      pending.set(idWeb, mensagem.timestamp)
      void naVezDe(chatIdOf(mensagem), async () => {
        if (!(await retry(() => receber(raw, mensagem, quem, antiga)))) return
        pending.delete(idWeb)
        largest = Math.max(largest ?? 0, mensagem.timestamp)
      })
    },
    changed: ({ key, chatId, deMim, mudanca }, quem) => {
      if (closed || !isPerson(chatId)) return
      void naVezDe(chatId, async () => {
        await retry(async () => {
          const alvo = await targetOf(key, { ownMessages, fetchMessage })
          await host.change({ ...(await quem(chatId)), alvo, deMim, mudanca })
        })
      })
    },
    receivedUntil: () => (pending.size > 0 ? Math.min(...pending.values()) - 1 : largest),
    close: () => {
      closed = true
      acabar()
    },
  }
}

function quotedOf(mensagem: WebMessage, { endereco, outrosEnderecos }: WebPerson): Pick<InboundMessage, 'citada'> {
  const quoted = parseWebQuote(mensagem)
  if (quoted === null) return {}
  return { citada: { texto: quoted.texto, nossa: ![endereco, ...outrosEnderecos].includes(fromWebAddress(quoted.de)) } }
}

async function targetOf(
  chave: WebKey,
  { ownMessages, fetchMessage }: Pick<WebInboundOptions, 'ownMessages' | 'fetchMessage'>,
): Promise<string> {
  const idWeb = webKeyId(chave)
  if (!chave.fromMe) return idWeb
  const { data: mensagem } = webMessageSchema.safeParse(await fetchMessage(idWeb))
  return (mensagem === undefined ? null : await ownMessages.idExternoOf(mensagem)) ?? idWeb
}
