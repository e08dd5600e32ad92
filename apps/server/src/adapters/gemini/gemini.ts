import { createHash } from 'node:crypto'
import { IA_TIMEOUT_MS } from '@balcao/contract/constants'
import { MODELO_ATUAL, modeloVigente } from '@balcao/contract/modelos'
import type { AiAnswer, AiRequest, ModeloDisponivel, ProvedorIa } from '#ports/ai.ts'
import { type BuscaOptions, criarBusca } from './buscar.ts'
import { listarModelos } from './catalogo.ts'
import type { Conversa } from './conversar.ts'
import { createDisjuntor } from './disjuntor.ts'
import { ConversaFalhou, emFrase, FalhaIa, falhaEm, MOTIVOS, type MotivoIa } from './falhas.ts'
import { createRitmo, createVagas } from './limites.ts'
import { ateOFim, criarPrazo } from './prazo.ts'

const GEMINI_URL = 'https://generativelanguage.googleapis.com'

export interface GeminiOptions {
  /** Without `/v1beta`. From the environment alone: no account chooses where its questions go. */
  readonly baseUrl?: string | undefined
  readonly log: { readonly warn: (dados: object, mensagem: string) => void }
  /** Tests shorten these. */
  readonly timeoutMs?: number
  readonly recuoMs?: number
  readonly agora?: () => number
}

const RECUO_MS = 400
/** The settings page waits for a list less patiently than a customer for an answer. */
const LISTA_TIMEOUT_MS = 6_000
const LISTA_MAXIMO = 200
/** A model the provider did not know is asked for again after this long. */
const DESCONHECIDO_MS = 3_600_000
const ID_DE_MODELO = /^[a-zA-Z0-9][\w.-]{0,99}$/

/** Google's Gemini behind `ports/ai.ts`: limits, breaker, time, and the fall back from models that are gone. */
export function createGemini(options: GeminiOptions): ProvedorIa {
  const { log, timeoutMs = IA_TIMEOUT_MS, recuoMs = RECUO_MS, agora = () => performance.now() } = options
  const baseUrl = (options.baseUrl ?? GEMINI_URL).replace(/\/+$/, '')
  const vagas = createVagas()
  const ritmo = createRitmo(agora)
  const disjuntor = createDisjuntor(agora)
  const desconhecidos = new Map<string, number>()

  const perguntar = async (request: AiRequest, modelo: string, busca: BuscaOptions): Promise<Conversa> => {
    const { conversar } = await import('./conversar.ts')
    const buscar = criarBusca(busca)
    return conversar({ request, modelo, baseUrl, buscar, sinal: busca.sinal })
  }

  const comReserva = async (request: AiRequest, busca: BuscaOptions): Promise<Conversa> => {
    const chave = `${request.contaId}|${request.modelo}`
    const modelo = modeloVigente(request.modelo)
    const conhecido = ID_DE_MODELO.test(modelo) && (desconhecidos.get(chave) ?? 0) < agora()
    try {
      if (conhecido) return await perguntar(request, modelo, busca)
    } catch (error) {
      if (falhaEm(error)?.motivo !== 'modelo' || modelo === MODELO_ATUAL) throw error
    }
    const novo = !desconhecidos.has(chave) || conhecido
    desconhecidos.set(chave, agora() + DESCONHECIDO_MS)
    const conversa = await perguntar(request, MODELO_ATUAL, busca)
    if (!novo) return conversa
    const aviso = `O Gemini não conhece o modelo "${request.modelo}". A IA respondeu com ${MODELO_ATUAL}; escolha outro modelo na aba IA.`
    return { ...conversa, resposta: { ...conversa.resposta, avisos: [aviso] } }
  }

  /** Tells the breaker how it went. The owner's test goes past an open one, and closes it when the provider is back. */
  const comDisjuntor = async (request: AiRequest, sinal: AbortSignal): Promise<Conversa> => {
    const chave = circuitoDe(request)
    const teste = request.contatoId === null
    if (!teste && !disjuntor.pode(chave)) throw new FalhaIa('disjuntor')
    try {
      const conversa = await ateOFim(comReserva(request, { sinal, recuoMs }), sinal)
      disjuntor.deuCerto(chave)
      return conversa
    } catch (error) {
      const falha = falhaEm(error)
      if (falha !== null && !falha.doProvedor) disjuntor.nadaDisse(chave)
      else if (!teste) disjuntor.falhou(chave)
      throw error
    }
  }

  const listar = async (apiKey: string, quantos: number): Promise<ModeloDisponivel[]> => {
    const prazo = criarPrazo(Math.min(LISTA_TIMEOUT_MS, timeoutMs))
    try {
      const buscar = criarBusca({ sinal: prazo.sinal, recuoMs })
      return await ateOFim(listarModelos({ baseUrl, apiKey, buscar, quantos }), prazo.sinal)
    } finally {
      prazo.encerrar()
    }
  }

  return {
    answer: async (request, desistencia) => {
      const inicio = agora()
      const prazo = criarPrazo(timeoutMs, desistencia)
      const duracao = (): number => Math.round(agora() - inicio)
      try {
        if (request.contatoId !== null && !ritmo.passa(`${request.contaId}|${request.contatoId}`)) {
          throw new FalhaIa('ritmo')
        }
        const sair = await vagas.entrar(request.contaId, prazo.sinal)
        try {
          const { resposta, registro } = await comDisjuntor(request, prazo.sinal)
          return { ...resposta, registro: { ...registro, duracaoMs: duracao() } }
        } finally {
          sair()
        }
      } catch (error) {
        const { motivo, resposta } = toFalha(error, duracao())
        if (motivo !== 'cancelada') {
          const detalhe = error instanceof Error ? error.message : String(error)
          log.warn({ contaId: request.contaId, motivo, detalhe }, 'the AI did not answer')
        }
        return resposta
      } finally {
        prazo.encerrar()
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
        log.warn({ motivo: falhaEm(error)?.motivo ?? 'confusa' }, 'the provider did not list its models')
        return null
      }
    },
  }
}

/** One circuit per account, model and key: a new key is tried at once. */
function circuitoDe({ contaId, modelo, apiKey }: AiRequest): string {
  return `${contaId}|${modelo}|${createHash('sha256').update(apiKey).digest('base64url').slice(0, 16)}`
}

function toFalha(error: unknown, duracaoMs: number): { motivo: MotivoIa; resposta: AiAnswer } {
  const falha = falhaEm(error)
  const motivo = falha?.motivo ?? 'confusa'
  const resposta = { tipo: 'falha', motivo: MOTIVOS[motivo] } as const
  if (!(falha instanceof ConversaFalhou)) return { motivo, resposta }
  return { motivo, resposta: { ...resposta, registro: { ...falha.gasto, duracaoMs } } }
}
