import * as z from 'zod/mini'
import { SendDeferred, SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { OficialNumber } from '#ports/oficial.ts'
import { type Confirmations, markFor } from './confirmations.ts'
import { resolveRecipient } from './recipient.ts'
import { MetaFailure } from './graph/errors.ts'
import { metaErrorText } from './sentences.ts'
import type { Graph } from './graph/client.ts'
import { uploadMetaFile } from './graph/media.ts'
import { splitMessage, type MetaPart } from './graph/parts.ts'
import type { MetaPacer } from './pacer.ts'

export interface MetaSenderOptions {
  readonly graph: Graph
  readonly pacer: MetaPacer
  readonly confirmations: Confirmations
  readonly host: Pick<SessionHost, 'readMedia' | 'phoneOf'>
  readonly confirmationMs: number
}

const acceptedSchema = z.object({ messages: z.array(z.object({ id: z.string() })) })

const TIMEOUT_MS = 8_000
/** Meta keeps a file for 30 days. A picture of the loja is sent many times. */
const UPLOAD_CACHE_MS = 24 * 3_600_000
const MAX_UPLOADS = 500

export interface MetaSender {
  /**
   * Resolves when Meta accepted every part, with the wamid of the first one if known. Throws `FalhaMeta`,
   * `EnvioRecusado` or `EnvioAdiado`. Waits at most `deAntesMs` for a status of an earlier session's attempt.
   */
  readonly send: (
    numero: OficialNumber,
    mensagem: OutboundMessage,
    opcoes: { readonly deAntesMs: number },
  ) => Promise<string | null>
}

export function createSender({ graph, pacer, confirmations, host, confirmationMs }: MetaSenderOptions): MetaSender {
  const stored = new Map<string, { readonly id: string; readonly ate: number }>()

  const store = async (numero: OficialNumber, { url, arquivo }: Extract<MetaPart, { tipo: 'arquivo' }>) => {
    const guardada = stored.get(url)
    if (guardada !== undefined && guardada.ate > performance.now()) return guardada.id
    const id = await uploadMetaFile(graph, numero, arquivo)
    stored.set(url, { id, ate: performance.now() + UPLOAD_CACHE_MS })
    if (stored.size > MAX_UPLOADS) stored.delete(stored.keys().next().value ?? '')
    return id
  }

  const jaSaiu = async (marca: string, esperarMs: number): Promise<{ readonly wamid: string | null } | null> => {
    const word = await confirmations.wait(marca, esperarMs)
    if (word?.tipo !== 'recusada') return word
    throw new SendRefused(metaErrorText(word.codigo))
  }

  const ask = async (
    numero: OficialNumber,
    destination: object,
    marca: string,
    part: MetaPart,
  ): Promise<string | null> => {
    const corpo = part.tipo === 'pronta' ? part.corpo : part.corpo(await store(numero, part))
    await pacer.turn()
    confirmations.trying(marca)
    try {
      const reply = await graph.request({
        ...{ method: 'POST', path: `${numero.telefoneId}/messages`, token: numero.token, timeoutMs: TIMEOUT_MS },
        body: { messaging_product: 'whatsapp', ...destination, ...corpo, biz_opaque_callback_data: marca },
      })
      const parsed = acceptedSchema.safeParse(reply)
      const wamid = parsed.success ? (parsed.data.messages[0]?.id ?? null) : null
      confirmations.sent(marca, wamid)
      return wamid
    } catch (error) {
      if (!(error instanceof MetaFailure) || error.tipo !== 'incerta') {
        confirmations.notSent(marca)
        throw error
      }
      const foi = await jaSaiu(marca, confirmationMs)
      if (foi === null) throw error
      return foi.wamid
    }
  }

  return {
    send: async (numero, mensagem, { deAntesMs }) => {
      if (pacer.pauseMs() > 0) throw new SendDeferred('a Meta pediu que esperemos', pacer.pauseMs())
      const destination = await resolveRecipient(mensagem.endereco, host.phoneOf)
      const parts = await splitMessage(mensagem, host.readMedia)
      let first: string | null = null
      for (const [index, part] of parts.entries()) {
        const marca = markFor(mensagem, index)
        const foi = await jaSaiu(marca, index === 0 ? deAntesMs : 0)
        const wamid = foi === null ? await ask(numero, destination, marca, part) : foi.wamid
        if (index === 0) first = wamid
      }
      return first
    },
  }
}
