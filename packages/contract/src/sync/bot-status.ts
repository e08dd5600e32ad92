import type { BotStatus } from '#entities/bot-status.ts'
import { hasBotSession, isBotRunning } from '#bot-status.ts'
import type { ServerEventPayloads, ServerEvent } from '#realtime.ts'
import { applyToLogs } from './registros.ts'

function withStatus(atual: BotStatus, { status, motivo }: ServerEventPayloads['botStatusChange']): BotStatus {
  const { motivo: _motivo, qrExpiraEm, conectadoComo, ...rest } = atual
  const aguarda = status === 'AGUARDANDO_QR'
  return {
    ...rest,
    status,
    isRunning: isBotRunning(status),
    inicializado: hasBotSession(status),
    qrCode: aguarda ? atual.qrCode : null,
    qr: aguarda ? atual.qr : null,
    ...(motivo === undefined ? {} : { motivo }),
    ...(aguarda && qrExpiraEm !== undefined ? { qrExpiraEm } : {}),
    ...(hasBotSession(status) && conectadoComo !== undefined ? { conectadoComo } : {}),
  }
}

function withQrCode({ qrExpiraEm: _antes, ...atual }: BotStatus, data: ServerEventPayloads['botQrCode']): BotStatus {
  const { qrCode, qrExpiraEm } = data
  return { ...atual, qrCode, qr: qrCode, ...(qrExpiraEm === undefined ? {} : { qrExpiraEm }) }
}

function withConversaAtiva(atual: BotStatus, data: ServerEventPayloads['botConversaAtiva']): BotStatus {
  const { userId: _conta, seq: _seq, ativa, ...conversa } = data
  const others = atual.conversasAtivas.filter((c) => c.id !== conversa.id)
  return { ...atual, conversasAtivas: ativa === false ? others : [conversa, ...others] }
}

/** Returns the bot status after an event. Events of other accounts change nothing. */
export function applyToBotStatus(current: BotStatus, received: ServerEvent, contaId: string): BotStatus {
  if (received.dados.userId !== contaId) return current
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
    case 'botMensagem':
    case 'novaConversaHumana':
    case 'mensagemConversaHumana':
    case 'conversaAssumida':
    case 'conversaFinalizada':
    case 'conversaTransferida':
    case 'clienteDigitando':
    case 'operadorStatusChange':
      return current
  }
}
