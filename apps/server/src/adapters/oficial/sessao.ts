import { isDeepStrictEqual } from 'node:util'
import { createEmCurso } from '#adapters/em-curso.ts'
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
import { type Confirmacoes, createConfirmacoes, idDaMarca, reacaoDaMarca } from './confirmacoes.ts'
import { createEntrada } from './entrada.ts'
import { createEnvio } from './envio.ts'
import { FalhaMeta } from './falhas.ts'
import { fraseDe } from './frases.ts'
import type { Graph } from './graph.ts'
import { createLeitura } from './leitura.ts'
import { createLigacao, type Ligacao } from './ligacao.ts'
import { createRitmo } from './ritmo.ts'
import { assinarAvisos } from './saude.ts'

export interface TemposOficial {
  readonly confirmacaoMs?: number
  readonly conferirMs?: number
  readonly esperas?: (tentativa: number) => number
}

export interface SessaoOptions extends TemposOficial {
  readonly graph: Graph
  readonly diario: DiarioOficial
  readonly registrar: (erro: unknown, oQue: string) => void
}

const CONFIRMACAO_MS = 10_000
const CONFERIR_MS = 30_000
const SEM_CONEXAO = 'sem conexão com o WhatsApp'

/** 1 to 60 seconds, with jitter. */
const esperaPadrao = (tentativa: number): number => Math.min(60_000, 1_000 * 2 ** tentativa) * (0.5 + Math.random() / 2)

/** Session of one account on one Meta number: receives through the journal, sends through the Graph API. */
export function createSessao(host: SessionHost, opcoes: SessaoOptions): Connector {
  const { graph, diario, registrar, confirmacaoMs = CONFIRMACAO_MS } = opcoes
  const { conferirMs = CONFERIR_MS, esperas = esperaPadrao } = opcoes
  const { contaId } = host
  const confirmacoes = createConfirmacoes()
  const emCurso = createEmCurso()
  let atual: NumeroOficial | null = null
  let iniciada = false
  let parada = false
  let parar = (): void => {}

  const numero = (): NumeroOficial | null => atual
  /** True when the owner saved another token or number since; the session then uses it. */
  const trocou = async (): Promise<boolean> => {
    const novo = await diario.numero(contaId).catch(() => null)
    if (novo === null || isDeepStrictEqual(novo, atual)) return false
    atual = novo
    return true
  }
  const ligacao = createLigacao({ graph, numero, trocou, estado: host.estado, conferirMs, esperas, registrar })
  const enviar = createRemessa({ host, graph, ligacao, confirmacoes, confirmacaoMs })
  const leitura = createLeitura(graph, () => (ligacao.conectada() ? atual : null))
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
    ...{ diario, registrar },
    status: createStatus(host, confirmacoes),
    comArquivo: createArquivos({ graph, host, numero, registrar }),
  })

  const estaParada = (): boolean => parada
  const fechar = (): void => {
    parada = true
    ligacao.fechar()
    parar()
    entrada.fechar()
    confirmacoes.desistir()
  }

  return {
    capacidades: { digitando: true },
    // Measured from accepted calls: the Cloud API has no connection and no heartbeat.
    silencioMs: ligacao.silencioMs,
    start: async () => {
      if (iniciada) return
      iniciada = true
      if (!parada) await host.estado({ tipo: 'conectando' })
      atual = await diario.numero(contaId)
      if (estaParada()) return
      if (atual === null) return ligacao.encerrar('credenciaisInvalidas')
      parar = diario.ouvir(contaId, () => void entrada.chegou())
      // Also reads statuses of an earlier session's messages before any of them is sent again.
      await entrada.chegou()
      await ligacao.conferir()
    },
    stop: async () => fechar(),
    logout: async () => {
      fechar()
      if (atual !== null) await assinarAvisos(graph, atual, 'DELETE').catch(() => undefined)
    },
    send: async (mensagem) => {
      await emCurso(mensagem.idExterno, () => enviar(atual, mensagem))
      ligacao.ouviu()
      leitura.respondida(mensagem.endereco)
    },
    digitando: leitura.digitando,
  }
}

interface RemessaOptions {
  readonly host: SessionHost
  readonly graph: Graph
  readonly ligacao: Ligacao
  readonly confirmacoes: Confirmacoes
  readonly confirmacaoMs: number
}

/** Sends one message and maps `FalhaMeta` to the queue's errors. */
function createRemessa({ host, graph, ligacao, confirmacoes, confirmacaoMs }: RemessaOptions) {
  const ritmo = createRitmo()
  const envio = createEnvio({ graph, ritmo, confirmacoes, host, confirmacaoMs })
  const inicio = { ms: Date.now(), relogio: performance.now() }

  /**
   * A message queued before this session may have been sent by the previous one, so its status webhook may still
   * arrive.
   */
  const deAntesMs = ({ idExterno }: OutboundMessage): number =>
    instanteDe(idExterno) < inicio.ms ? Math.max(0, confirmacaoMs - (performance.now() - inicio.relogio)) : 0

  return async (numero: NumeroOficial | null, mensagem: OutboundMessage): Promise<void> => {
    if (numero === null || !ligacao.conectada()) throw new EnvioFalhou(SEM_CONEXAO)
    try {
      const wamid = await envio.enviar(numero, mensagem, { deAntesMs: deAntesMs(mensagem) })
      if (wamid !== null && mensagem.reacao === undefined) host.chamada(mensagem.idExterno, wamid)
    } catch (error) {
      if (!(error instanceof FalhaMeta)) throw error
      if (error.tipo === 'recusada') throw new EnvioRecusado(fraseDe(error.codigo))
      if (error.tipo === 'devagar') {
        if (!error.soDeste) ritmo.pausar(error.esperaMs)
        throw new EnvioAdiado('a Meta pediu que esperemos', error.esperaMs)
      }
      // Other messages would fail too, so the queue waits until Meta accepts calls again.
      if (error.tipo !== 'instavel' && error.tipo !== 'incerta') await ligacao.caiu(error)
      if (error.tipo === 'incerta') ligacao.agendar(0)
      throw error
    }
  }
}

function createStatus(host: SessionHost, confirmacoes: Confirmacoes) {
  return async ({
    idExterno: marca,
    status: qual,
    codigo,
    wamid,
  }: Extract<Novidade, { tipo: 'status' }>): Promise<void> => {
    const id = idDaMarca(marca)
    if (qual === 'failed') {
      // A repeated or outdated failure must not affect a message that was sent again since.
      if (!confirmacoes.falhou(marca, codigo, wamid ?? null)) return
      const reacao = reacaoDaMarca(marca)
      if (reacao !== null) return host.reacaoNaoEntregue(reacao, fraseDe(codigo))
      return host.naoEntregue(id, fraseDe(codigo))
    }
    confirmacoes.saiu(marca, wamid ?? null)
    if (qual !== 'sent') host.recibo(id, qual === 'read' ? 'lida' : 'entregue')
  }
}

function instanteDe(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}
