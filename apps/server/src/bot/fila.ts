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

/** A committed message that has not left yet. */
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
  /** Shows the typing indicator before it. */
  readonly digitando: boolean
  /** Attempts already made. */
  readonly tentativas: number
  /** People look at its conversation: they are told when it leaves. */
  readonly humana: boolean
  /** How they are told; without it the message is read again. */
  readonly saiu?: () => void
}

export const ESPERAS_MS = [1_000, 5_000, 15_000, 60_000] as const
const ENVIO_TIMEOUT_MS = 30_000
const SEM_FRASE = 'o serviço de mensagens não levou esta mensagem'

/** What people may read of a failure; null for what a library or the network said, in its own language. */
function fraseDe(error: unknown): string | null {
  const frase = error instanceof EnvioFalhou || error instanceof EnvioRecusado || error instanceof EnvioAdiado
  return frase ? error.message : null
}

export interface FilaOptions {
  readonly connector: Pick<Connector, 'send' | 'digitando'>
  /** False once this node may no longer speak for the account: the items stay in the table for whoever may. */
  readonly podeEnviar: () => boolean
  readonly enviada: (item: ItemSaida) => void
  /** Writes the attempts down that were made; the wait runs in memory. */
  readonly adiada: (item: ItemSaida, esperaMs: number, erro: string) => Promise<void>
  readonly falhou: (item: ItemSaida, erro: string) => Promise<void>
  readonly log: FastifyBaseLogger
  readonly falha: Falha
  /** First wait by default 1 s; tests shorten it. */
  readonly esperasMs?: readonly number[]
}

/** What one session still has to send: in order per contact, contacts never waiting for each other. */
export interface Fila {
  readonly enfileirar: (itens: readonly ItemSaida[]) => void
  /** The connection is back. */
  readonly retomar: () => void
  readonly esquecer: (mensagemId: string) => void
  /** What waits for this contact never leaves; what is on its way cannot be called back. */
  readonly descartar: (contatoId: string) => void
  readonly fechar: () => void
  readonly tamanho: () => number
}

export function createFila(options: FilaOptions): Fila {
  const { connector, podeEnviar, log, falha, esperasMs = ESPERAS_MS } = options
  const porContato = new Map<string, ItemSaida[]>()
  const ocupados = new Set<string>()
  /** Everything from the commit until its row is gone, so that no scan of the table sends it again. */
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

  /** Milliseconds until this contact's next attempt; 0 when the item is off the queue. */
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
    if (erro === null) log.warn({ err: error, mensagemId: item.mensagemId }, 'a message did not leave')
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
      log.error({ err: gravacao, mensagemId: item.mensagemId }, 'a failed send could not be written down')
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

  /** Ids grow with time: what was read late from the table goes before what is younger, and never before what is on its way. */
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
