import type { OutboxItem } from './fila.ts'
import { findAttendedConversa } from './conversa-humana.ts'
import { mensagensToSend, type Decision } from './decisao.ts'
import type { AiQuestions } from './perguntas.ts'
import { publishDecision } from './publicar.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { SessionRegistry } from './sessions.ts'

export interface RunEffectsOptions {
  readonly sessions: SessionRegistry
  readonly questions: AiQuestions
  readonly wakeOtherNode: (contaId: string) => void
}

/**
 * Runs after the commit: sends, publishes and schedules questions. Everything here is already stored or may be
 * lost.
 */
export function createRunEffects(deps: BotDeps, { sessions, questions, wakeOtherNode }: RunEffectsOptions) {
  const { realtime, db, log } = deps

  const novaConversa = async (contaId: string, conversaId: string): Promise<void> => {
    try {
      const conversa = await db.read(contaId, (tx) => findAttendedConversa(tx, contaId, conversaId))
      if (conversa !== null) realtime.publish(contaId, 'novaConversaHumana', { userId: contaId, conversa })
    } catch (error) {
      log.warn({ err: error, contaId }, 'new conversa not published, the panel refetches it')
    }
  }

  const rodar = (decisao: Decision): void => {
    const { contaId, conversaId, contato, now } = decisao
    for (const efeito of decisao.effects) {
      switch (efeito.tipo) {
        case 'perguntarIa': {
          const perguntarEm = new Date(now.getTime() + efeito.esperaMs)
          questions.schedule({ contaId, contatoId: contato.id, id: efeito.perguntaId, askAt: perguntarEm })
          break
        }
        case 'abrirConversaHumana':
          if (conversaId !== null) realtime.openConversa(conversaId, () => novaConversa(contaId, conversaId))
          break
        case 'enviarTexto':
        case 'enviarImagem':
          break
        case 'finalizarConversa':
        case 'registrarAvaliacao':
        case 'pularAvaliacao':
        case 'registrarConsentimento':
        case 'registrarLog':
          break
        default:
          efeito satisfies never
      }
    }
  }

  const enviar = (decisoes: readonly Decision[]): void => {
    const outros = new Set<string>()
    for (const decisao of decisoes) {
      const sessao = sessions.get(decisao.contaId)
      sessao?.setAttended(decisao.contato.id, decisao.attended)
      const itens = toOutboxItems(decisao)
      if (itens.length === 0) continue
      if (sessao === undefined) outros.add(decisao.contaId)
      else sessao.queue.add(itens)
    }
    for (const contaId of outros) wakeOtherNode(contaId)
  }

  return (decisoes: readonly Decision[]): void => {
    enviar(decisoes)
    for (const decisao of decisoes) {
      publishDecision(realtime, decisao)
      rodar(decisao)
    }
  }
}

function toOutboxItems(decisao: Decision): OutboxItem[] {
  const { contaId, contato, address, typing, attended } = decisao
  return mensagensToSend(decisao).map(({ id, texto, midia }) => ({
    contaId,
    mensagemId: id,
    contatoId: contato.id,
    endereco: address,
    idExterno: id,
    texto,
    typing: typing,
    attempts: 0,
    attended: attended,
    ...(midia === null ? {} : { midia }),
  }))
}
