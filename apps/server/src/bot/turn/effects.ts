import type { OutboxItem } from '#bot/outbox/send-queue.ts'
import { findAttendedConversa } from '#modules/conversas/index.ts'
import { mensagensToSend, type Decision } from './decision.ts'
import type { AiQuestions } from '#bot/ai/questions.ts'
import { publishDecision } from './publish.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { SessionRegistry } from '#bot/session/registry.ts'

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

  const run = (decision: Decision): void => {
    const { contaId, conversaId, contato, now } = decision
    for (const effect of decision.effects) {
      switch (effect.tipo) {
        case 'perguntarIa': {
          const perguntarEm = new Date(now.getTime() + effect.esperaMs)
          questions.schedule({ contaId, contatoId: contato.id, id: effect.perguntaId, askAt: perguntarEm })
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
        case 'registrarConsentimento':
        case 'registrarLog':
          break
        default:
          effect satisfies never
      }
    }
  }

  const send = (decisions: readonly Decision[]): void => {
    const others = new Set<string>()
    for (const decision of decisions) {
      const session = sessions.get(decision.contaId)
      session?.setAttended(decision.contato.id, decision.attended)
      const items = toOutboxItems(decision)
      if (items.length === 0) continue
      if (session === undefined) others.add(decision.contaId)
      else session.queue.add(items)
    }
    for (const contaId of others) wakeOtherNode(contaId)
  }

  return (decisions: readonly Decision[]): void => {
    send(decisions)
    for (const decision of decisions) {
      publishDecision(realtime, decision)
      run(decision)
    }
  }
}

function toOutboxItems(decision: Decision): OutboxItem[] {
  const { contaId, contato, address, typing, attended } = decision
  return mensagensToSend(decision).map(({ id, texto, midia }) => ({
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
