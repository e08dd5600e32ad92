import { createHash } from 'node:crypto'
import { IA_TIMEOUT_MS } from '@balcao/contract/constants'
import { createSaida, type Saida } from '#adapters/saida/saida.ts'
import type { AiAnswer, AiRequest, ModeloDisponivel, ProvedorIa } from '#ports/ai.ts'
import { criarBusca } from './buscar.ts'
import { listarModelos } from './catalogo.ts'
import type * as Conversar from './conversar.ts'
import type { Conversa } from './conversar.ts'
import { createDisjuntor } from './disjuntor.ts'
import { ConversaFalhou, emFrase, FalhaIa, falhaEm, MOTIVOS } from './falhas.ts'
import { createRitmo, createVagas } from './limites.ts'
import { ateOFim, criarPrazo } from './prazo.ts'
import { createReserva, type Perguntar } from './reserva.ts'

const GEMINI_URL = 'https://generativelanguage.googleapis.com'

export interface GeminiOptions {
  /** Without `/v1beta`. Comes only from the environment: an account must not choose where its questions go. */
  readonly baseUrl?: string | undefined
  readonly log: { readonly warn: (dados: object, mensagem: string) => void }
  readonly timeoutMs?: number
  readonly esperaMs?: number
  readonly recuoMs?: number
  readonly agora?: () => number
}

const RECUO_MS = 400
/** A question that waits longer than this for its turn fails, because the customer has waited long enough. */
const ESPERA_MS = 10_000
/** Hard limit of a response. `buscar` stops at half of it with its own error. */
const RESPOSTA_MAXIMA_BYTES = 2 * 1024 * 1024
const LISTA_TIMEOUT_MS = 6_000
const LISTA_MAXIMO = 200

/** Google's Gemini behind `ports/ai.ts`: limits, circuit breaker, timeouts and fallback for removed models. */
export function createGemini(options: GeminiOptions): ProvedorIa {
  const { log, timeoutMs = IA_TIMEOUT_MS, esperaMs = ESPERA_MS, recuoMs = RECUO_MS } = options
  const { agora = () => performance.now() } = options
  const baseUrl = (options.baseUrl ?? GEMINI_URL).replace(/\/+$/, '')
  const [doPrograma, doAmbiente] = options.baseUrl === undefined ? [[baseUrl], []] : [[], [baseUrl]]
  const saida = createSaida({ doPrograma, doAmbiente, maximoBytes: RESPOSTA_MAXIMA_BYTES })
  const perguntar = createPerguntar({ saida, baseUrl, recuoMs, timeoutMs, esperaMs, agora })
  const listar = createListar({ saida, baseUrl, recuoMs, timeoutMs })

  return {
    // A failed import is reported by the next question.
    aquecer: () => void carregar().catch(() => undefined),
    answer: async (request, desistencia) => {
      const inicio = agora()
      const duracao = (): number => Math.round(agora() - inicio)
      try {
        const { resposta, registro } = await perguntar(request, desistencia)
        return { ...resposta, registro: { ...registro, duracaoMs: duracao() } }
      } catch (error) {
        const motivo = falhaEm(error)?.motivo ?? 'confusa'
        if (motivo !== 'cancelada') {
          const detalhe = error instanceof Error ? error.message : String(error)
          log.warn({ contaId: request.contaId, motivo, detalhe }, 'AI question failed')
        }
        return toResposta(error, duracao())
      }
    },
    conferirChave: async (apiKey) => {
      try {
        await listar(apiKey, 1)
        return null
      } catch (error) {
        return emFrase(error)
      }
    },
    modelos: async (apiKey) => {
      try {
        return await listar(apiKey, LISTA_MAXIMO)
      } catch (error) {
        log.warn({ motivo: falhaEm(error)?.motivo ?? 'confusa' }, 'AI model list not read')
        return null
      }
    },
  }
}

const carregar = (): Promise<typeof Conversar> => import('./conversar.ts')

interface Meios {
  readonly saida: Saida
  readonly baseUrl: string
  readonly recuoMs: number
  readonly timeoutMs: number
}

interface Limites extends Meios {
  readonly esperaMs: number
  readonly agora: () => number
}

/**
 * Passes one question through every limit. Throws `FalhaIa`, or `ConversaFalhou` after the provider was called. The
 * provider's timeout starts only when it is called, so queueing does not count as its failure.
 */
function createPerguntar({ saida, baseUrl, recuoMs, timeoutMs, esperaMs, agora }: Limites) {
  const vagas = createVagas()
  const ritmo = createRitmo(agora)
  const disjuntor = createDisjuntor(agora)
  const comReserva = createReserva(agora)

  const noProvedor = (request: AiRequest, sinal: AbortSignal): Promise<Conversa> => {
    const buscar = criarBusca({ saida, sinal, recuoMs })
    const aoModelo: Perguntar = async (modelo) => {
      const { conversar } = await carregar()
      return conversar({ request, modelo, baseUrl, buscar, sinal })
    }
    return ateOFim(comReserva(request, aoModelo), sinal)
  }

  /** Reports the outcome to the circuit breaker. The owner's test ignores an open circuit and closes it on success. */
  const comDisjuntor = async (request: AiRequest, sinal: AbortSignal): Promise<Conversa> => {
    const chave = circuitoDe(request)
    const teste = request.contatoId === null
    if (!teste && !disjuntor.pode(chave)) throw new FalhaIa('disjuntor')
    try {
      const conversa = await noProvedor(request, sinal)
      return disjuntor.deuCerto(chave) ? comNoticia(conversa) : conversa
    } catch (error) {
      const falha = falhaEm(error) ?? new FalhaIa('confusa', String(error))
      if (!falha.doProvedor) disjuntor.nadaDisse(chave)
      const abriu = falha.doProvedor && !teste && disjuntor.falhou(chave)
      throw new ConversaFalhou(falha, falha instanceof ConversaFalhou ? falha.gasto : semGasto(request), abriu)
    }
  }

  const esperarVez = async (contaId: string, desistencia?: AbortSignal): Promise<() => void> => {
    const paciencia = criarPrazo(esperaMs, desistencia, 'fila')
    try {
      return await vagas.entrar(contaId, paciencia.sinal)
    } finally {
      paciencia.encerrar()
    }
  }

  return async (request: AiRequest, desistencia?: AbortSignal): Promise<Conversa> => {
    const { contaId, contatoId } = request
    if (contatoId !== null && !ritmo.passa(`${contaId}|${contatoId}`)) throw new FalhaIa('ritmo')
    const sair = await esperarVez(contaId, desistencia)
    try {
      // Importing the SDK must not count as provider time.
      await carregar()
      const prazo = criarPrazo(timeoutMs, desistencia)
      try {
        return await comDisjuntor(request, prazo.sinal)
      } finally {
        prazo.encerrar()
      }
    } finally {
      sair()
    }
  }
}

const comNoticia = ({ resposta, registro }: Conversa): Conversa => ({
  resposta: { ...resposta, disjuntor: 'fechou' },
  registro,
})

function createListar({ saida, baseUrl, recuoMs, timeoutMs }: Meios) {
  return async (apiKey: string, quantos: number): Promise<ModeloDisponivel[]> => {
    const prazo = criarPrazo(Math.min(LISTA_TIMEOUT_MS, timeoutMs))
    try {
      const buscar = criarBusca({ saida, sinal: prazo.sinal, recuoMs })
      return await ateOFim(listarModelos({ baseUrl, apiKey, buscar, quantos }), prazo.sinal)
    } finally {
      prazo.encerrar()
    }
  }
}

/** The key is part of the circuit, so a new API key is tried immediately. */
function circuitoDe({ contaId, modelo, apiKey }: AiRequest): string {
  return `${contaId}|${modelo}|${createHash('sha256').update(apiKey).digest('base64url').slice(0, 16)}`
}

function semGasto({ modelo }: AiRequest): ConversaFalhou['gasto'] {
  return { modelo, ferramentas: [], tokensEntrada: 0, tokensSaida: 0 }
}

function toResposta(error: unknown, duracaoMs: number): AiAnswer {
  const falha = falhaEm(error)
  const resposta = { tipo: 'falha', motivo: MOTIVOS[falha?.motivo ?? 'confusa'] } as const
  if (!(falha instanceof ConversaFalhou)) return resposta
  const noticia = falha.abriu ? ({ disjuntor: 'abriu' } as const) : {}
  return { ...resposta, ...noticia, registro: { ...falha.gasto, duracaoMs } }
}
