import type { FastifyBaseLogger } from 'fastify'
import type { Midia } from '@balcao/contract/entities/mensagem'
import {
  type Alvo,
  type Connector,
  EnvioAdiado,
  EnvioFalhou,
  EnvioRecusado,
  type ModeloEnviado,
} from '#ports/messaging.ts'
import type { Falha } from './falha.ts'
import type { ReacaoNaFila } from './reacoes.ts'

export interface ItemSaida {
  readonly contaId: string
  readonly mensagemId: string
  readonly contatoId: string
  readonly endereco: string
  readonly idExterno: string
  readonly texto: string
  readonly midia?: Midia
  readonly modelo?: ModeloEnviado
  readonly citada?: Alvo
  readonly reacao?: ReacaoNaFila
  readonly digitando: boolean
  readonly tentativas: number
  readonly humana: boolean
  /** Publishes the sent message without reading it again. Absent: the row is read. */
  readonly saiu?: () => void
}

export const ESPERAS_MS = [1_000, 5_000, 15_000, 60_000] as const
const ENVIO_TIMEOUT_MS = 30_000
const SEM_FRASE = 'o serviço de mensagens não levou esta mensagem'

/**
 * Text of a failure that people may read. Null for errors of libraries and the network, which are not in
 * Portuguese.
 */
function fraseDe(error: unknown): string | null {
  const frase = error instanceof EnvioFalhou || error instanceof EnvioRecusado || error instanceof EnvioAdiado
  return frase ? error.message : null
}

export interface FilaOptions {
  readonly connector: Pick<Connector, 'send' | 'digitando'>
  /** False while the link is down or the lease may have expired. The items stay in `saida`. */
  readonly podeEnviar: () => boolean
  readonly enviada: (item: ItemSaida) => void
  /** Stores the attempt and the error. The wait itself runs in memory. */
  readonly adiada: (item: ItemSaida, esperaMs: number, erro: string) => Promise<void>
  readonly falhou: (item: ItemSaida, erro: string) => Promise<void>
  readonly log: FastifyBaseLogger
  readonly falha: Falha
  readonly esperasMs?: readonly number[]
}

/** Send queue of one session: in order within a contato, contatos in parallel. */
export interface Fila {
  readonly enfileirar: (itens: readonly ItemSaida[]) => void
  readonly retomar: () => void
  readonly esquecer: (mensagemId: string) => void
  /** Drops the waiting messages of this contato. A message that is being sent cannot be stopped. */
  readonly descartar: (contatoId: string) => void
  readonly fechar: () => void
  readonly tamanho: () => number
}

export function createFila(options: FilaOptions): Fila {
  const { connector, podeEnviar, log, falha, esperasMs = ESPERAS_MS } = options
  const porContato = new Map<string, ItemSaida[]>()
  const ocupados = new Set<string>()
  /** Ids from the commit until the row is deleted, so that a read of the table does not queue them twice. */
  const conhecidas = new Set<string>()
  const esperas = new Set<NodeJS.Timeout>()
  let fechada = false

  const drenar = async (contatoId: string, itens: ItemSaida[]): Promise<void> => {
    if (ocupados.has(contatoId)) return
    ocupados.add(contatoId)
    let item = itens[0]
    while (item !== undefined && !fechada && podeEnviar()) {
      const esperaMs = await tentar(item, itens)
      if (esperaMs > 0) {
        agendar(contatoId, itens, esperaMs)
        return
      }
      item = itens[0]
    }
    ocupados.delete(contatoId)
    if (itens.length === 0) porContato.delete(contatoId)
  }

  /** Returns the wait in milliseconds until the next attempt, or 0 when the item left the queue. */
  const tentar = async (item: ItemSaida, itens: ItemSaida[]): Promise<number> => {
    falha('saida.reivindicada')
    try {
      if (item.digitando) connector.digitando(item.endereco)
      await enviar(item)
    } catch (error) {
      return naoSaiu(item, itens, error)
    }
    falha('saida.enviada')
    itens.shift()
    options.enviada(item)
    return 0
  }

  const naoSaiu = async (item: ItemSaida, itens: ItemSaida[], error: unknown): Promise<number> => {
    if (fechada || !podeEnviar() || !conhecidas.has(item.mensagemId)) return 0
    const erro = fraseDe(error)
    if (erro === null) log.warn({ err: error, mensagemId: item.mensagemId }, 'message not sent')
    const adiado = error instanceof EnvioAdiado
    const espera = adiado ? error.esperaMs : error instanceof EnvioRecusado ? undefined : esperasMs[item.tentativas]
    try {
      if (espera === undefined) {
        await options.falhou(item, erro ?? SEM_FRASE)
        itens.shift()
        return 0
      }
      const tentado = adiado ? item : { ...item, tentativas: item.tentativas + 1 }
      itens[0] = tentado
      await options.adiada(tentado, espera, erro ?? SEM_FRASE)
      return espera
    } catch (gravacao) {
      log.error({ err: gravacao, mensagemId: item.mensagemId }, 'failed send not stored')
      return espera ?? 1_000
    }
  }

  const enviar = async (item: ItemSaida): Promise<void> => {
    const { promise: prazo, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new EnvioFalhou('o serviço não respondeu')), ENVIO_TIMEOUT_MS)
    try {
      await Promise.race([connector.send(item), prazo])
    } finally {
      clearTimeout(timer)
    }
  }

  const agendar = (contatoId: string, itens: ItemSaida[], esperaMs: number): void => {
    const timer = setTimeout(() => {
      esperas.delete(timer)
      ocupados.delete(contatoId)
      void drenar(contatoId, itens)
    }, esperaMs)
    esperas.add(timer)
  }

  /**
   * Sorts by id, which grows with time: a row read late goes before newer ones, but never before the message being
   * sent.
   */
  const lugarDe = ({ mensagemId, contatoId }: ItemSaida, itens: readonly ItemSaida[]): number => {
    const primeiro = ocupados.has(contatoId) ? 1 : 0
    let lugar = itens.length
    while (lugar > primeiro && (itens[lugar - 1]?.mensagemId ?? '') > mensagemId) lugar -= 1
    return lugar
  }

  return {
    enfileirar: (novos) => {
      for (const item of novos) {
        if (conhecidas.has(item.mensagemId)) continue
        conhecidas.add(item.mensagemId)
        const itens = porContato.get(item.contatoId)
        if (itens === undefined) porContato.set(item.contatoId, [item])
        else itens.splice(lugarDe(item, itens), 0, item)
      }
      for (const contatoId of new Set(novos.map((item) => item.contatoId))) {
        const itens = porContato.get(contatoId)
        if (itens !== undefined) void drenar(contatoId, itens)
      }
    },
    retomar: () => {
      for (const [contatoId, itens] of porContato) void drenar(contatoId, itens)
    },
    esquecer: (mensagemId) => void conhecidas.delete(mensagemId),
    descartar: (contatoId) => {
      for (const { mensagemId } of porContato.get(contatoId)?.splice(0) ?? []) conhecidas.delete(mensagemId)
    },
    fechar: () => {
      fechada = true
      for (const timer of esperas) clearTimeout(timer)
    },
    tamanho: () => conhecidas.size,
  }
}
