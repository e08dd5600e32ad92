import * as z from 'zod/mini'
import { EnvioAdiado, EnvioRecusado, type OutboundMessage, type SessionHost } from '#ports/messaging.ts'
import type { NumeroOficial } from '#ports/oficial.ts'
import { type Confirmacoes, marcaDe } from './confirmacoes.ts'
import { destinoDe } from './destino.ts'
import { FalhaMeta } from './falhas.ts'
import { fraseDe } from './frases.ts'
import type { Graph } from './graph.ts'
import { guardarNaMeta } from './midia.ts'
import { dividir, type Parte } from './partes.ts'
import type { Ritmo } from './ritmo.ts'

export interface EnvioOptions {
  readonly graph: Graph
  readonly ritmo: Ritmo
  readonly confirmacoes: Confirmacoes
  readonly host: Pick<SessionHost, 'lerMidia' | 'telefoneDe'>
  readonly confirmacaoMs: number
}

const aceitaSchema = z.object({ messages: z.array(z.object({ id: z.string() })) })

const PRAZO_MS = 8_000
/** Meta keeps a file for 30 days. A picture of the loja is sent many times. */
const GUARDADA_MS = 24 * 3_600_000
const GUARDADAS = 500

export interface Envio {
  /**
   * Resolves when Meta accepted every part, with the wamid of the first one if known. Throws `FalhaMeta`,
   * `EnvioRecusado` or `EnvioAdiado`. Waits at most `deAntesMs` for a status of an earlier session's attempt.
   */
  readonly enviar: (
    numero: NumeroOficial,
    mensagem: OutboundMessage,
    opcoes: { readonly deAntesMs: number },
  ) => Promise<string | null>
}

export function createEnvio({ graph, ritmo, confirmacoes, host, confirmacaoMs }: EnvioOptions): Envio {
  const guardadas = new Map<string, { readonly id: string; readonly ate: number }>()

  const guardar = async (numero: NumeroOficial, { url, arquivo }: Extract<Parte, { tipo: 'arquivo' }>) => {
    const guardada = guardadas.get(url)
    if (guardada !== undefined && guardada.ate > performance.now()) return guardada.id
    const id = await guardarNaMeta(graph, numero, arquivo)
    guardadas.set(url, { id, ate: performance.now() + GUARDADA_MS })
    if (guardadas.size > GUARDADAS) guardadas.delete(guardadas.keys().next().value ?? '')
    return id
  }

  const jaSaiu = async (marca: string, esperarMs: number): Promise<{ readonly wamid: string | null } | null> => {
    const palavra = await confirmacoes.esperar(marca, esperarMs)
    if (palavra?.tipo !== 'recusada') return palavra
    throw new EnvioRecusado(fraseDe(palavra.codigo))
  }

  const pedir = async (numero: NumeroOficial, destino: object, marca: string, parte: Parte): Promise<string | null> => {
    const corpo = parte.tipo === 'pronta' ? parte.corpo : parte.corpo(await guardar(numero, parte))
    await ritmo.vez()
    confirmacoes.tentando(marca)
    try {
      const resposta = await graph.pedir({
        ...{ metodo: 'POST', caminho: `${numero.telefoneId}/messages`, token: numero.token, prazoMs: PRAZO_MS },
        corpo: { messaging_product: 'whatsapp', ...destino, ...corpo, biz_opaque_callback_data: marca },
      })
      const lida = aceitaSchema.safeParse(resposta)
      const wamid = lida.success ? (lida.data.messages[0]?.id ?? null) : null
      confirmacoes.saiu(marca, wamid)
      return wamid
    } catch (error) {
      if (!(error instanceof FalhaMeta) || error.tipo !== 'incerta') {
        confirmacoes.naoSaiu(marca)
        throw error
      }
      const foi = await jaSaiu(marca, confirmacaoMs)
      if (foi === null) throw error
      return foi.wamid
    }
  }

  return {
    enviar: async (numero, mensagem, { deAntesMs }) => {
      if (ritmo.pausaMs() > 0) throw new EnvioAdiado('a Meta pediu que esperemos', ritmo.pausaMs())
      const destino = await destinoDe(mensagem.endereco, host.telefoneDe)
      const partes = await dividir(mensagem, host.lerMidia)
      let primeira: string | null = null
      for (const [indice, parte] of partes.entries()) {
        const marca = marcaDe(mensagem, indice)
        const foi = await jaSaiu(marca, indice === 0 ? deAntesMs : 0)
        const wamid = foi === null ? await pedir(numero, destino, marca, parte) : foi.wamid
        if (indice === 0) primeira = wamid
      }
      return primeira
    },
  }
}
