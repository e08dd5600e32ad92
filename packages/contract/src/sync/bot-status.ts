import type { BotStatus } from '#entities/bot-status.ts'
import { hasBotSession, isBotRunning } from '#bot-status.ts'
import type { ServerEventPayloads, ServerEvent } from '#realtime.ts'
import { applyToLogs } from './registros.ts'

function withStatus(current: BotStatus, { status, motivo }: ServerEventPayloads['botStatusChange']): BotStatus {
  const { motivo: _motivo, qrExpiraEm, conectadoComo, ...rest } = current
  const waiting = status === 'AGUARDANDO_QR'
  return {
    ...rest,
    status,
    isRunning: isBotRunning(status),
    inicializado: hasBotSession(status),
    qrCode: waiting ? current.qrCode : null,
    qr: waiting ? current.qr : null,
    ...(motivo === undefined ? {} : { motivo }),
    ...(waiting && qrExpiraEm !== undefined ? { qrExpiraEm } : {}),
    ...(hasBotSession(status) && conectadoComo !== undefined ? { conectadoComo } : {}),
  }
}

function withQrCode({ qrExpiraEm: _antes, ...current }: BotStatus, data: ServerEventPayloads['botQrCode']): BotStatus {
  const { qrCode, qrExpiraEm } = data
  return { ...current, qrCode, qr: qrCode, ...(qrExpiraEm === undefined ? {} : { qrExpiraEm }) }
}

function withConversaAtiva(current: BotStatus, data: ServerEventPayloads['botConversaAtiva']): BotStatus {
  const { userId: _conta, seq: _seq, ativa, ...conversa } = data
  const others = current.conversasAtivas.filter((c) => c.id !== conversa.id)
  return { ...current, conversasAtivas: ativa === false ? others : [conversa, ...others] }
}

const STATUS_EVENTS = ['botStatus', 'botStatusChange', 'botQrCode', 'botLog', 'botConversaAtiva'] as const
type StatusEvent = Extract<ServerEvent, { evento: (typeof STATUS_EVENTS)[number] }>

function isStatusEvent(received: ServerEvent): received is StatusEvent {
  return STATUS_EVENTS.some((name) => name === received.evento)
}

/** Returns the bot status after an event. Events of other accounts change nothing. */
export function applyToBotStatus(current: BotStatus, received: ServerEvent, contaId: string): BotStatus {
  if (received.dados.userId !== contaId || !isStatusEvent(received)) return current
  switch (received.evento) {
    case 'botStatus': {
      const { userId: _conta, seq: _seq, ...status } = received.dados
      return status
    }
    case 'botStatusChange':
      return withStatus(current, received.dados)
    case 'botQrCode':
      return withQrCode(current, received.dados)
    case 'botLog':
      return { ...current, logs: [...applyToLogs(current.logs, received, contaId)] }
    case 'botConversaAtiva':
      return withConversaAtiva(current, received.dados)
  }
}
