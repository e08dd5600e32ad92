import type { Tx } from '#db/transaction.ts'
import type { Bots } from '#ports/bots.ts'
import type { InboundMessage } from '#ports/messaging.ts'
import type { Simulador } from '#ports/simulador.ts'
import { alterarMensagem } from './alterar-mensagem.ts'
import { createBatcher } from './batcher.ts'
import { CANAL_BOTS, CANAL_CONTEXTO, CANAL_ESQUECER, createBotsPort } from './bots.ts'
import { chaveDoEndereco } from './contatos.ts'
import { createCodigos } from './codigo.ts'
import { createContextos } from './contextos.ts'
import { createDigitando } from './digitando.ts'
import { enderecoCanonico } from './endereco.ts'
import { createEsquecimento, lerEsquecido } from './esquecer-contato.ts'
import { createHandler } from './handle-event.ts'
import { createJuncoes } from './juncoes.ts'
import { limpar } from './limpar.ts'
import { createMarcador } from './outbox.ts'
import { createPerguntas } from './perguntas.ts'
import { createPublicadorDeEstados } from './publicar-estados.ts'
import { createRecibos } from './recibos.ts'
import { createEfeitos } from './run-effects.ts'
import type { BotDeps } from './runtime-deps.ts'
import { createSessions } from './sessions.ts'
import { createSimuladorPort } from './simulador.ts'
import type { Respondida, TurnoBot, TurnoEvento } from './turno.ts'

const LOTE_MAXIMO = 100
const DE_UM_OPERADOR = { digitando: false, tentativas: 0, humana: true } as const
const LOTES_EM_VOO = 4

export interface BotRuntime {
  readonly bots: Bots
  readonly simulador: Simulador
  /**
   * Stores and answers one inbound message. Resolves after the commit. A repeated message resolves too and changes
   * nothing.
   */
  readonly receber: (contaId: string, canal: string, mensagem: InboundMessage) => Promise<void>
  /** Queues another event of a contato. Resolves after the commit. */
  readonly acontecer: (contaId: string, contatoId: string, evento: TurnoEvento['evento']) => Promise<void>
  /** Applies the event inside the caller's transaction, which must not hold a lock on the conversa of this contato. */
  readonly acontecerEm: (tx: Tx, contaId: string, contatoId: string, evento: TurnoEvento['evento']) => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly ocioso: () => Promise<void>
}

export interface RuntimeOptions {
  /** Batch size and parallel batches. The benchmarks vary them. */
  readonly loteMaximo?: number
  readonly lotesEmVoo?: number
}

export function createBotRuntime(deps: BotDeps, { loteMaximo, lotesEmVoo }: RuntimeOptions = {}): BotRuntime {
  const { bus, log } = deps
  const contextos = createContextos(deps)
  const marcador = createMarcador(deps)
  const estados = createPublicadorDeEstados(deps)
  const recibos = createRecibos(deps, estados.mudou)

  const sessions = createSessions(deps, {
    marcador,
    whatsappDe: async (contaId) => (await contextos.get(contaId)).config.whatsapp,
    receber: (contaId, canal, mensagem) => receber(contaId, canal, mensagem),
    alterar: async (contaId, canal, alteracao) => {
      const id = await alterarMensagem(deps, { contaId, canal, alteracao })
      if (id !== null) estados.marcada(contaId, id)
      return id !== null
    },
    recibo: recibos.chegou,
    clienteDigitando: (contaId, canonico) => digitando.cliente(contaId, canonico),
    publicarStatus: (contaId) => bots.publicarStatus(contaId),
    assumida: (contaId) => perguntas.recuperar(contaId),
    mensagemMudou: estados.mudou,
    mensagemMarcada: estados.marcada,
  })
  const digitando = createDigitando(deps, sessions)
  const acordarOutroNo = (contaId: string): void => bus.publish(CANAL_BOTS, contaId)
  const perguntas = createPerguntas(deps, {
    contextos,
    responder: ({ contaId, contatoId }, respondida) => {
      const { perguntaId, resposta: resultado } = respondida
      const evento: TurnoEvento['evento'] = (base) => ({ tipo: 'respostaIa', perguntaId, resultado, ...base })
      return acontecer(contaId, contatoId, evento, respondida)
    },
  })
  const efeitos = createEfeitos(deps, { sessions, perguntas, acordarOutroNo })
  const handler = createHandler(deps, {
    contextos,
    aposCommit: (decisoes) => {
      efeitos(decisoes)
      for (const contaId of new Set(decisoes.map((decisao) => decisao.contaId))) bots.listasMudaram(contaId)
    },
  })
  const juncoes = createJuncoes(deps, { esquecer: handler.esquecerEndereco })
  const batcher = createBatcher<TurnoBot>({
    maximo: loteMaximo ?? LOTE_MAXIMO,
    vagas: lotesEmVoo ?? LOTES_EM_VOO,
    processar: handler.processar,
  })

  const esquecerContexto = (contaId: string): void => {
    contextos.mudou(contaId)
    handler.contextoMudou(contaId)
  }
  const acordar = (contaId: string): void => {
    sessions.conferir(contaId).catch((error: unknown) => log.warn({ err: error, contaId }, 'bus event not applied'))
  }
  const esquecerContato = createEsquecimento({ sessions, perguntas, handler, juncoes, bots: () => bots, log })
  const assinaturas = [
    bus.subscribe(CANAL_CONTEXTO, esquecerContexto),
    bus.subscribe(CANAL_BOTS, acordar),
    bus.subscribe(CANAL_ESQUECER, (dados) => {
      const esquecido = lerEsquecido(dados)
      if (esquecido !== null) esquecerContato(esquecido)
    }),
  ]

  const codigos = createCodigos(deps, sessions)
  const bots = createBotsPort(deps, {
    sessions,
    contextos,
    codigo: codigos.pedir,
    digitando: digitando.operador,
    esquecerContato: (contaId, contato) => {
      esquecerContato({ contaId, ...contato })
      bus.publish(CANAL_ESQUECER, JSON.stringify({ contaId, ...contato }))
    },
    contextoMudou: (contaId) => {
      esquecerContexto(contaId)
      bus.publish(CANAL_CONTEXTO, contaId)
    },
    saidaNova: (contaId, novas) => {
      bots.listasMudaram(contaId)
      const sessao = sessions.get(contaId)
      if (sessao === undefined) acordarOutroNo(contaId)
      else sessao.fila.enfileirar(novas.map((nova) => ({ ...nova, contaId, ...DE_UM_OPERADOR })))
    },
  })

  const receber: BotRuntime['receber'] = (contaId, canal, bruta) => {
    if (bruta.grupo === true) return Promise.resolve()
    const mensagem = limpar(bruta)
    const canonico = enderecoCanonico(mensagem.telefone, mensagem.endereco)
    deps.falha('entrada.recebida')
    const enfileirar = (): Promise<void> =>
      new Promise((resolver, rejeitar) => {
        const chave = chaveDoEndereco(contaId, canonico)
        batcher.enfileirar({ tipo: 'mensagem', chave, contaId, canal, canonico, mensagem, resolver, rejeitar })
      })
    const junto = juncoes.antes(contaId, mensagem)
    if (junto === null) return enfileirar()
    return junto.then(enfileirar).then(() => juncoes.depois(contaId, mensagem))
  }

  const acontecer = (
    contaId: string,
    contatoId: string,
    evento: TurnoEvento['evento'],
    respondida?: Respondida,
  ): Promise<void> =>
    new Promise((resolver, rejeitar) => {
      const turno = {
        tipo: 'evento',
        chave: `${contaId}#${contatoId}`,
        contaId,
        contatoId,
        evento,
        resolver,
        rejeitar,
      } as const
      batcher.enfileirar(respondida === undefined ? turno : { ...turno, respondida })
    })

  return {
    bots,
    simulador: createSimuladorPort(deps, { sessions, receber }),
    receber,
    acontecer: (contaId, contatoId, evento) => acontecer(contaId, contatoId, evento),
    acontecerEm: (tx, contaId, contatoId, evento) => handler.acontecerEm(tx, contaId, contatoId, evento),
    start: () => sessions.start(),
    stop: async () => {
      for (const sair of assinaturas) sair()
      codigos.stop()
      perguntas.stop()
      await batcher.ocioso()
      await marcador.ocioso()
      await sessions.stop()
      await recibos.ocioso()
      await estados.ocioso()
    },
    ocioso: async () => {
      await batcher.ocioso()
      await marcador.ocioso()
      await recibos.ocioso()
      await estados.ocioso()
    },
  }
}
