import { createStoreMedia } from '#adapters/guardar-midia.ts'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MessageChange, InboundMessage, SessionHost } from '#ports/messaging.ts'
import { parseWebQuote, parseWebContent } from './conteudo.ts'
import { fromWebAddress, isPerson, type WebPerson, type FindPerson } from './enderecos.ts'
import { classifyOpenFailure } from './falhas.ts'
import {
  webFileSchema,
  type WebKey,
  type Downloadable,
  webKeyId,
  webMessageSchema,
  type WebMessage,
  isDownloadable,
} from './formas.ts'
import type { OwnMessages } from './nossas.ts'
import { withTimeout } from './prazo.ts'

/**
 * Delivers messages of the page to the bot: each once, in order per person, with retries until the bot has stored
 * it.
 */
export interface WebInbound {
  /** `antiga`: found in the page after a reconnect, not received live. */
  readonly arrived: (bruta: unknown, quem: FindPerson, opcoes?: { readonly antiga: boolean }) => void
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
  readonly report: (erro: unknown, oQue: string) => void
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
  const vistas = new Set<string>()
  const pendentes = new Map<string, number>()
  let maior: number | null = null
  let fechada = false
  const { promise: fim, resolve: acabar } = Promise.withResolvers<void>()

  /** Serialises messages per person, because a file takes time and later messages of the same person must wait. */
  const naVezDe = (endereco: string, passo: () => Promise<void>): Promise<void> => {
    const feito = (pessoas.get(endereco) ?? Promise.resolve()).then(passo)
    pessoas.set(endereco, feito)
    void feito.finally(() => {
      if (pessoas.get(endereco) === feito) pessoas.delete(endereco)
    })
    return feito
  }

  /** Never rejects. Retries until the step succeeds or the session closes. */
  const insistir = async (passo: () => Promise<void>): Promise<boolean> => {
    while (estaAberta()) {
      try {
        await passo()
        return true
      } catch (erro) {
        report(erro, 'message not delivered, retrying')
        await esperar()
      }
    }
    return false
  }
  const estaAberta = (): boolean => !fechada
  const esperar = (): Promise<unknown> => Promise.race([new Promise((resolve) => setTimeout(resolve, waitMs)), fim])

  const ver = (idWeb: string): boolean => {
    if (vistas.has(idWeb)) return false
    vistas.add(idWeb)
    if (vistas.size > MAX_SEEN) vistas.delete(vistas.keys().next().value ?? '')
    return true
  }

  const ler = async (bruta: unknown, mensagem: WebMessage, quem: FindPerson): Promise<InboundMessage | null> => {
    const conteudo = parseWebContent(mensagem)
    if (conteudo === null) return null
    const pessoa = await quem(chatIdOf(mensagem))
    const midia = conteudo.midia === undefined ? undefined : await guardar(bruta, mensagem, conteudo.midia)
    const deMim = mensagem.id.fromMe
    return {
      ...pessoa,
      id: webKeyId(mensagem.id),
      nome: deMim ? '' : (mensagem._data?.notifyName ?? ''),
      texto: conteudo.texto,
      ...(midia === undefined ? {} : { midia }),
      ...quotedOf(mensagem, pessoa),
      deMim,
      enviadaEm: new Date(mensagem.timestamp * 1_000),
    }
  }

  const baixar = async (primeira: Downloadable, idWeb: string): Promise<unknown> => {
    let bruta = primeira
    for (let vez = 1; ; vez += 1) {
      try {
        return await withTimeout(bruta.downloadMedia(), DOWNLOAD_MS)
      } catch (erro) {
        if (vez >= DOWNLOAD_ATTEMPTS || !estaAberta() || classifyOpenFailure(erro).motivo !== 'navegadorCaiu') throw erro
        await esperar()
        const outra = await fetchMessage(idWeb).catch(() => null)
        if (isDownloadable(outra)) bruta = outra
      }
    }
  }

  const guardar = async (bruta: unknown, { hasMedia, id }: WebMessage, midia: Midia): Promise<Midia> => {
    if (!hasMedia || !isDownloadable(bruta) || (midia.tamanhoBytes ?? 0) > MAX_BYTES) return midia
    try {
      const { data, filename } = webFileSchema.parse(await baixar(bruta, webKeyId(id)))
      const bytes = Buffer.from(data, 'base64')
      if (bytes.length > MAX_BYTES) return midia
      return await guardarMidia(bytes, filename ?? '')
    } catch (erro) {
      report(erro, 'media not stored')
      return midia
    }
  }

  const receber = async (bruta: unknown, mensagem: WebMessage, quem: FindPerson, antiga: boolean): Promise<void> => {
    if (mensagem.id.fromMe) {
      await ownMessages.allKnown()
      if ((await ownMessages.idExternoOf(mensagem)) !== null) return
      // Old browser message without a match in ours. It does not prove that the owner serves this customer now.
      if (antiga && mensagem.id.id.startsWith('3EB0')) return
    }
    const recebida = await ler(bruta, mensagem, quem)
    if (recebida !== null && estaAberta()) await host.receive(recebida)
  }

  return {
    arrived: (bruta, quem, { antiga } = { antiga: false }) => {
      const { data: mensagem } = webMessageSchema.safeParse(bruta)
      if (fechada || mensagem === undefined || mensagem.isStatus || mensagem.broadcast) return
      const idWeb = webKeyId(mensagem.id)
      if (!isPerson(chatIdOf(mensagem)) || mensagem.from === mensagem.to || !ver(idWeb)) return
      pendentes.set(idWeb, mensagem.timestamp)
      void naVezDe(chatIdOf(mensagem), async () => {
        if (!(await insistir(() => receber(bruta, mensagem, quem, antiga)))) return
        pendentes.delete(idWeb)
        maior = Math.max(maior ?? 0, mensagem.timestamp)
      })
    },
    changed: ({ key, chatId, deMim, mudanca }, quem) => {
      if (fechada || !isPerson(chatId)) return
      void naVezDe(chatId, async () => {
        await insistir(async () => {
          const alvo = await targetOf(key, { ownMessages, fetchMessage })
          await host.change({ ...(await quem(chatId)), alvo, deMim, mudanca })
        })
      })
    },
    receivedUntil: () => (pendentes.size > 0 ? Math.min(...pendentes.values()) - 1 : maior),
    close: () => {
      fechada = true
      acabar()
    },
  }
}

export function chatIdOf({ id, from, to }: Pick<WebMessage, 'id' | 'from' | 'to'>): string {
  return id.fromMe ? to : from
}

function quotedOf(mensagem: WebMessage, { endereco, outrosEnderecos }: WebPerson): Pick<InboundMessage, 'citada'> {
  const citada = parseWebQuote(mensagem)
  if (citada === null) return {}
  return { citada: { texto: citada.texto, nossa: ![endereco, ...outrosEnderecos].includes(fromWebAddress(citada.de)) } }
}

async function targetOf(chave: WebKey, { ownMessages, fetchMessage }: Pick<WebInboundOptions, 'ownMessages' | 'fetchMessage'>): Promise<string> {
  const idWeb = webKeyId(chave)
  if (!chave.fromMe) return idWeb
  const { data: mensagem } = webMessageSchema.safeParse(await fetchMessage(idWeb))
  return (mensagem === undefined ? null : await ownMessages.idExternoOf(mensagem)) ?? idWeb
}
