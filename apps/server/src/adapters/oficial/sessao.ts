import { isDeepStrictEqual } from 'node:util'
import { createEmCurso } from '#adapters/em-curso.ts'
import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import {
  type Connector,
  EnvioAdiado,
  EnvioFalhou,
  EnvioRecusado,
  type OutboundMessage,
  type SessionHost,
} from '#ports/messaging.ts'
import type { DiarioOficial, NumeroOficial } from '#ports/oficial.ts'
import { createArquivos } from './arquivos.ts'
import type { Novidade } from './aviso.ts'
import { createConfirmacoes, idDaMarca, reacaoDaMarca } from './confirmacoes.ts'
import { createEntrada } from './entrada.ts'
import { createEnvio } from './envio.ts'
import { FalhaMeta } from './falhas.ts'
import { fraseDe } from './frases.ts'
import type { Graph } from './graph.ts'
import { createLeitura } from './leitura.ts'
import { createRitmo } from './ritmo.ts'
import { apresentar, assinarAvisos } from './saude.ts'

export interface TemposOficial {
  /** How long to wait for news of a message whose fate is not known. */
  readonly confirmacaoMs?: number
  /** How often Meta is asked whether all is well. */
  readonly conferirMs?: number
  /** Waits before the n-th attempt to come back. */
  readonly esperas?: (tentativa: number) => number
}

export interface SessaoOptions extends TemposOficial {
  readonly graph: Graph
  readonly diario: DiarioOficial
  readonly registrar: (erro: unknown, oQue: string) => void
}

const CONFIRMACAO_MS = 10_000
/** There is no line to listen to: Meta is asked, so that a token that expires while nobody writes is noticed all the same. */
const CONFERIR_MS = 30_000
const SEM_CONEXAO = 'sem conexão com o WhatsApp'

/** One to sixty seconds, never twice the same. */
const esperaPadrao = (tentativa: number): number => Math.min(60_000, 1_000 * 2 ** tentativa) * (0.5 + Math.random() / 2)

/** One account on one number of Meta's. There is no line to keep open: it is connected while Meta accepts the token. */
export function createSessao(host: SessionHost, opcoes: SessaoOptions): Connector {
  const {
    graph,
    diario,
    registrar,
    confirmacaoMs = CONFIRMACAO_MS,
    conferirMs = CONFERIR_MS,
    esperas = esperaPadrao,
  } = opcoes
  const { contaId } = host
  const ritmo = createRitmo()
  const confirmacoes = createConfirmacoes()
  const emCurso = createEmCurso()
  const envio = createEnvio({ graph, ritmo, confirmacoes, host, confirmacaoMs })
  const inicio = { ms: Date.now(), relogio: performance.now() }
  let numero: NumeroOficial | null = null
  let iniciada = false
  let parada = false
  let conectada = false
  let assinada = false
  let tentativas = 0
  let ouvidaEm = 0
  let timer: NodeJS.Timeout | undefined
  let parar = (): void => {}

  const status = async ({ idExterno: marca, status: qual, codigo, wamid }: Extract<Novidade, { tipo: 'status' }>) => {
    const id = idDaMarca(marca)
    if (qual === 'failed') {
      // Meta may say it twice, and the second time of a message that a person has sent again meanwhile.
      if (!confirmacoes.falhou(marca, codigo, wamid ?? null)) return
      const reacao = reacaoDaMarca(marca)
      if (reacao !== null) return host.reacaoNaoEntregue(reacao, fraseDe(codigo))
      return host.naoEntregue(id, fraseDe(codigo))
    }
    confirmacoes.saiu(marca, wamid ?? null)
    if (qual !== 'sent') host.recibo(id, qual === 'read' ? 'lida' : 'entregue')
  }

  const leitura = createLeitura(graph, () => (conectada ? numero : null))
  const entrada = createEntrada({
    host: {
      contaId,
      receber: async (recebida) => {
        if (recebida.deMim !== true) leitura.chegou(recebida.endereco, recebida.id)
        await host.receber(recebida)
      },
      alterar: host.alterar,
      citada: host.citada,
    },
    diario,
    status,
    registrar,
    comArquivo: createArquivos({ graph, host, numero: () => numero, registrar }),
  })

  const contar: SessionHost['estado'] = (estado) => (parada ? Promise.resolve() : host.estado(estado))
  const agendar = (ms: number): void => {
    clearTimeout(timer)
    if (!parada) timer = setTimeout(() => void conferir(), ms)
  }

  /** Asks Meta whether all is well, and says so; comes back by itself while it is not. */
  const conferir = async (): Promise<void> => {
    try {
      if (numero === null || parada) return
      const como = await apresentar(graph, numero)
      tentativas = 0
      ouvidaEm = performance.now()
      if (!conectada) {
        conectada = true
        await contar({ tipo: 'conectado', como })
      }
      void assinar(numero)
      agendar(conferirMs)
    } catch (error) {
      // Asked too often, Meta still takes and brings messages: it is the question that has to wait.
      if (conectada && error instanceof FalhaMeta && error.tipo === 'devagar') agendar(error.esperaMs + conferirMs)
      else await perdeu(error)
    }
  }

  /** Without it Meta brings nothing: it is asked until it has said yes. */
  const assinar = async (atual: NumeroOficial): Promise<void> => {
    if (assinada) return
    try {
      await assinarAvisos(graph, atual, 'POST')
      assinada = true
    } catch (error) {
      registrar(error, 'Meta was not asked to bring messages')
    }
  }

  /** The owner has saved another token, or number, since: then it is that one's turn. */
  const trocado = async (): Promise<boolean> => {
    const novo = await diario.numero(contaId).catch(() => null)
    if (novo === null || isDeepStrictEqual(novo, numero)) return false
    numero = novo
    assinada = false
    return true
  }

  const perdeu = async (error: unknown): Promise<void> => {
    const tipo = error instanceof FalhaMeta ? error.tipo : 'instavel'
    conectada = false
    if (tipo === 'credenciais' || tipo === 'bloqueada' || tipo === 'recusada') {
      registrar(error, 'Meta does not let us in')
      if (await trocado()) return agendar(0)
      return encerrar(tipo === 'bloqueada' ? 'banido' : 'credenciaisInvalidas')
    }
    await contar({
      tipo: 'reconectando',
      motivo: tipo === 'instavel' || tipo === 'devagar' ? 'servicoInstavel' : 'semRede',
    })
    agendar(esperas(tentativas))
    tentativas += 1
  }

  /** Of many sends that fail at once, one says so. */
  const caiu = async (error: FalhaMeta): Promise<void> => {
    if (conectada) await perdeu(error)
  }

  const encerrar = async (motivo: MotivoBot): Promise<void> => {
    clearTimeout(timer)
    await contar({ tipo: 'encerrado', status: motivo === 'banido' ? 'ERRO' : 'erro_auth', motivo })
  }

  const estaParada = (): boolean => parada
  const fechar = (): void => {
    parada = true
    conectada = false
    clearTimeout(timer)
    parar()
    entrada.fechar()
    confirmacoes.desistir()
  }

  /** What was promised before this session began may have left with the one before: Meta's news of it may be on its way. */
  const deAntesMs = ({ idExterno }: OutboundMessage): number =>
    instanteDe(idExterno) < inicio.ms ? Math.max(0, confirmacaoMs - (performance.now() - inicio.relogio)) : 0

  const enviar = async (mensagem: OutboundMessage): Promise<void> => {
    if (numero === null || !conectada) throw new EnvioFalhou(SEM_CONEXAO)
    try {
      const wamid = await envio.enviar(numero, mensagem, { deAntesMs: deAntesMs(mensagem) })
      // A reaction is no message of ours that anybody could quote.
      if (wamid !== null && mensagem.reacao === undefined) host.chamada(mensagem.idExterno, wamid)
    } catch (error) {
      if (!(error instanceof FalhaMeta)) throw error
      if (error.tipo === 'recusada') throw new EnvioRecusado(fraseDe(error.codigo))
      if (error.tipo === 'devagar') {
        if (!error.soDeste) ritmo.pausar(error.esperaMs)
        throw new EnvioAdiado('a Meta pediu que esperemos', error.esperaMs)
      }
      // Nothing else can leave either: the queue waits until Meta is there again.
      if (error.tipo !== 'instavel' && error.tipo !== 'incerta') await caiu(error)
      if (error.tipo === 'incerta') agendar(0)
      throw error
    }
  }

  return {
    capacidades: { digitando: true },
    // Each call stands alone: there is no line whose silence would say anything.
    silencioMs: () => (conectada ? performance.now() - ouvidaEm : null),
    start: async () => {
      if (iniciada) return
      iniciada = true
      await contar({ tipo: 'conectando' })
      numero = await diario.numero(contaId)
      if (estaParada()) return
      if (numero === null) return encerrar('credenciaisInvalidas')
      parar = diario.ouvir(contaId, () => void entrada.chegou())
      // Also what became of messages that an earlier session sent: known before any is sent again.
      await entrada.chegou()
      await conferir()
    },
    stop: async () => fechar(),
    logout: async () => {
      fechar()
      if (numero !== null) await assinarAvisos(graph, numero, 'DELETE').catch(() => undefined)
    },
    send: async (mensagem) => {
      await emCurso(mensagem.idExterno, () => enviar(mensagem))
      ouvidaEm = performance.now()
      leitura.respondida(mensagem.endereco)
    },
    digitando: leitura.digitando,
  }
}

/** The instant inside an id of ours. */
function instanteDe(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}
