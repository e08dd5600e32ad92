import * as z from 'zod/mini'
import { SendDeferred, SendRefused, type OutboundMessage, type SessionHost } from '#ports/messaging.ts'
import type { OficialNumber } from '#ports/oficial.ts'
import { type Confirmations, markFor } from './confirmacoes.ts'
import { resolveRecipient } from './destino.ts'
import { MetaFailure } from './falhas.ts'
import { metaErrorText } from './frases.ts'
import type { Graph } from './graph.ts'
import { uploadMetaFile } from './midia.ts'
import { splitMessage, type MetaPart } from './partes.ts'
import type { MetaPacer } from './ritmo.ts'

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
  const guardadas = new Map<string, { readonly id: string; readonly ate: number }>()

  const guardar = async (numero: OficialNumber, { url, arquivo }: Extract<MetaPart, { tipo: 'arquivo' }>) => {
    const guardada = guardadas.get(url)
    if (guardada !== undefined && guardada.ate > performance.now()) return guardada.id
    const id = await uploadMetaFile(graph, numero, arquivo)
    guardadas.set(url, { id, ate: performance.now() + UPLOAD_CACHE_MS })
    if (guardadas.size > MAX_UPLOADS) guardadas.delete(guardadas.keys().next().value ?? '')
    return id
  }

  const jaSaiu = async (marca: string, esperarMs: number): Promise<{ readonly wamid: string | null } | null> => {
    const palavra = await confirmations.wait(marca, esperarMs)
    if (palavra?.tipo !== 'recusada') return palavra
    throw new SendRefused(metaErrorText(palavra.codigo))
  }

  const pedir = async (numero: OficialNumber, destino: object, marca: string, parte: MetaPart): Promise<string | null> => {
    const corpo = parte.tipo === 'pronta' ? parte.corpo : parte.corpo(await guardar(numero, parte))
    await pacer.turn()
    confirmations.trying(marca)
    try {
      const resposta = await graph.request({
        ...{ method: 'POST', path: `${numero.telefoneId}/messages`, token: numero.token, timeoutMs: TIMEOUT_MS },
        body: { messaging_product: 'whatsapp', ...destino, ...corpo, biz_opaque_callback_data: marca },
      })
      const lida = acceptedSchema.safeParse(resposta)
      const wamid = lida.success ? (lida.data.messages[0]?.id ?? null) : null
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
      const destino = await resolveRecipient(mensagem.endereco, host.phoneOf)
      const partes = await splitMessage(mensagem, host.readMedia)
      let primeira: string | null = null
      for (const [indice, parte] of partes.entries()) {
        const marca = markFor(mensagem, indice)
        const foi = await jaSaiu(marca, indice === 0 ? deAntesMs : 0)
        const wamid = foi === null ? await pedir(numero, destino, marca, parte) : foi.wamid
        if (indice === 0) primeira = wamid
      }
      return primeira
    },
  }
}
