import type { Config } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import {
  type Alteracao,
  type CodigoDePareamento,
  type Connector,
  type InboundMessage,
  MidiaRecusada,
  type Recibo,
  type SessionHost,
} from '#ports/messaging.ts'
import type { Lease } from './bots-repository.ts'
import { findTelefone } from './contatos.ts'
import { abrirCredenciais, salvarCredenciais } from './credenciais.ts'
import { createChavesDaSessao } from './chaves-da-sessao.ts'
import { listEnviadas } from './enviadas.ts'
import { enderecoCanonico } from './endereco.ts'
import { findCitada } from './citadas.ts'
import { createEstadoDaSessao } from './estado-da-sessao.ts'
import { createFila, type Fila, type ItemSaida } from './fila.ts'
import { Lru } from './lru.ts'
import { contarFalha, createNaoEntregues } from './nao-entregues.ts'
import { adiarSaida, falharSaida, listPendentes, type Marcador } from './outbox.ts'
import { desfazerReacao } from './reacoes.ts'
import { createRecuperacao } from './recuperacao.ts'
import type { BotDeps } from './runtime-deps.ts'

export interface Sessao {
  readonly contaId: string
  readonly lease: Lease
  readonly fila: Fila
  readonly conectada: () => boolean
  /** Milliseconds since the last data from the service; null while not connected. */
  readonly silencioMs: () => number | null
  readonly iniciar: () => Promise<void>
  /** Closes the link; `esquecer` also unlinks the phone. Writes no status: the caller does. */
  readonly encerrar: (modo: 'fechar' | 'esquecer') => Promise<void>
  /** Queues rows of `saida` that this node does not hold: after a start, or queued by other nodes. */
  readonly recuperar: () => Promise<void>
  readonly digitando: (endereco: string) => void
  /** Null when no phone is being paired or the service has no pairing codes. */
  readonly codigo: (telefone: string) => Promise<CodigoDePareamento | null>
  readonly vista: (contatoId: string, humana: boolean) => void
}

export interface SessaoOptions {
  readonly lease: Lease
  readonly whatsapp: Config['whatsapp']
  readonly marcador: Marcador
  /** False when the lease may have expired by this node's clock. */
  readonly leaseValida: () => boolean
  readonly receber: (contaId: string, canal: string, mensagem: InboundMessage) => Promise<void>
  readonly alterar: (contaId: string, canal: string, alteracao: Alteracao) => Promise<boolean>
  readonly clienteDigitando: (contaId: string, canonico: string) => void
  readonly recibo: (contaId: string, idExterno: string, recibo: Recibo) => void
  readonly terminou: (lease: Lease) => void
  readonly publicarStatus: (contaId: string) => Promise<void>
  readonly mensagemMudou: (contaId: string, mensagemId: string) => void
  readonly mensagemMarcada: (contaId: string, mensagemId: string) => void
}

const CONTATOS_VISTOS = 10_000
const LEMBRADAS = 1_000

export function createSessao(deps: BotDeps, options: SessaoOptions): Sessao | null {
  const { lease } = options
  const { contaId, epoca } = lease
  const factory = deps.connectors[lease.conector]
  if (factory === undefined) return null
  /** Contatos whose conversa people see. Messages queued before the handover are published too when they are sent. */
  const vistas = new Lru<true>(CONTATOS_VISTOS)
  /** Ids given by the service to messages that are being sent. */
  const chamadas = new Lru<string>(LEMBRADAS)
  /**
   * Ids with a newer event (receipt, edit, reaction, failure). Their prepared "sent" event is outdated, so the row
   * is read again.
   */
  const comNoticia = new Lru<true>(LEMBRADAS)

  const { naoEntregue, reacaoNaoEntregue } = createNaoEntregues(deps, { ...options, contaId, canal: lease.conector })
  const host: SessionHost = {
    contaId,
    clientId: options.whatsapp.clientId,
    chromePath: options.whatsapp.chromePath,
    credenciais: abrirCredenciais(deps, lease),
    salvarCredenciais: (credenciais) => salvarCredenciais(deps, lease, credenciais),
    chaves: createChavesDaSessao(deps, lease),
    guardarMidia: async (bytes, nome) => {
      if (deps.arquivos === undefined) throw new MidiaRecusada('no file storage configured')
      return deps.arquivos.guardar(contaId, bytes, nome).catch((error: unknown) => {
        throw error instanceof AppError ? new MidiaRecusada(error.message, { cause: error }) : error
      })
    },
    lerMidia: async (url) => (await deps.arquivos?.ler(contaId, url)) ?? null,
    telefoneDe: (endereco) => deps.db.read(contaId, (tx) => findTelefone(tx, contaId, endereco)),
    citada: (cliente, alvo) =>
      deps.db.read(contaId, (tx) => findCitada(tx, { contaId, canal: lease.conector, cliente, alvo })),
    chamada: (idExterno, idDoServico) => chamadas.set(idExterno, idDoServico),
    enviadas: (de, ate) => deps.db.read(contaId, (tx) => listEnviadas(tx, contaId, { de, ate })),
    estado: (qual) => estado.mudou(qual),
    receber: (mensagem) => options.receber(contaId, lease.conector, mensagem),
    alterar: (alteracao) => {
      comNoticia.set(alteracao.alvo, true)
      return options.alterar(contaId, lease.conector, alteracao)
    },
    recibo: (idExterno, recibo) => {
      comNoticia.set(idExterno, true)
      options.recibo(contaId, idExterno, recibo)
    },
    reacaoNaoEntregue,
    naoEntregue: (idExterno, erro) => {
      comNoticia.set(idExterno, true)
      return naoEntregue(idExterno, erro)
    },
    digitando: ({ telefone, endereco }) => options.clienteDigitando(contaId, enderecoCanonico(telefone, endereco)),
  }

  const estado = createEstadoDaSessao(deps, {
    ...options,
    recuperar: () => recuperar(),
    pronta: () => fila.retomar(),
  })
  const connector: Connector = factory(host)
  const fila = createFila({
    connector,
    podeEnviar: () => estado.pronta() && options.leaseValida(),
    enviada: (item) =>
      options.marcador.marcar(item, chamadas.take(item.idExterno), () => {
        apagada(item.mensagemId)
        fila.esquecer(item.mensagemId)
        const soSaiu = comNoticia.take(item.idExterno) === undefined
        if (soSaiu && item.saiu !== undefined) item.saiu()
        else if (item.humana || vistas.get(item.contatoId) === true) options.mensagemMudou(contaId, item.mensagemId)
      }),
    adiada: (item, esperaMs, erro) => deps.db.transaction(contaId, (tx) => adiarSaida(tx, item, esperaMs, erro)),
    falhou: async (item, erro) => {
      await deps.db.transaction(contaId, async (tx) => {
        await falharSaida(tx, item, erro)
        if (item.reacao !== undefined) await desfazerReacao(tx, contaId, item.reacao)
        await contarFalha(tx, deps, { contaId, mensagemId: item.reacao?.mensagemId ?? item.mensagemId, erro })
      })
      apagada(item.mensagemId)
      fila.esquecer(item.mensagemId)
      if (item.reacao === undefined) options.mensagemMudou(contaId, item.mensagemId)
      else options.mensagemMarcada(contaId, item.reacao.mensagemId)
    },
    log: deps.log,
    falha: deps.falha,
    ...(deps.tempos?.esperasMs === undefined ? {} : { esperasMs: deps.tempos.esperasMs }),
  })

  const enfileirar = (itens: readonly ItemSaida[]): void => {
    for (const { reacao } of itens) if (reacao !== undefined) comNoticia.set(reacao.alvo.id, true)
    fila.enfileirar(itens)
  }

  const { recuperar, apagada } = createRecuperacao({
    listar: () => deps.db.transaction(contaId, (tx) => listPendentes(tx, contaId, epoca)),
    enfileirar: (itens) => fila.enfileirar(itens),
    fechada: estado.fechada,
  })

  return {
    contaId,
    lease,
    fila: { ...fila, enfileirar },
    conectada: estado.conectada,
    silencioMs: () => (estado.conectada() ? connector.silencioMs() : null),
    iniciar: () => connector.start(),
    encerrar: async (modo) => {
      if (estado.fechada()) return
      estado.fechar()
      fila.fechar()
      await (modo === 'esquecer' ? connector.logout() : connector.stop()).catch((error: unknown) =>
        deps.log.warn({ err: error, contaId }, 'connector not closed cleanly'),
      )
    },
    recuperar,
    digitando: (endereco) => connector.digitando(endereco),
    codigo: async (telefone) => (await connector.codigo?.(telefone)) ?? null,
    vista: (contatoId, humana) => (humana ? vistas.set(contatoId, true) : vistas.delete(contatoId)),
  }
}
