import type { BotStatus } from '#entities/bot-status.ts'
import { inicializadoDe, isRunningDe } from '#status-bot.ts'
import type { EventosServidor, EventoServidor } from '#realtime.ts'
import { aplicarEmLogs } from './registros.ts'

function comStatus(atual: BotStatus, { status, motivo }: EventosServidor['botStatusChange']): BotStatus {
  const { motivo: _motivo, qrExpiraEm, conectadoComo, ...resto } = atual
  const aguarda = status === 'AGUARDANDO_QR'
  return {
    ...resto,
    status,
    isRunning: isRunningDe(status),
    inicializado: inicializadoDe(status),
    qrCode: aguarda ? atual.qrCode : null,
    qr: aguarda ? atual.qr : null,
    ...(motivo === undefined ? {} : { motivo }),
    ...(aguarda && qrExpiraEm !== undefined ? { qrExpiraEm } : {}),
    ...(inicializadoDe(status) && conectadoComo !== undefined ? { conectadoComo } : {}),
  }
}

function comQrCode({ qrExpiraEm: _antes, ...atual }: BotStatus, dados: EventosServidor['botQrCode']): BotStatus {
  const { qrCode, qrExpiraEm } = dados
  return { ...atual, qrCode, qr: qrCode, ...(qrExpiraEm === undefined ? {} : { qrExpiraEm }) }
}

function comConversaAtiva(atual: BotStatus, dados: EventosServidor['botConversaAtiva']): BotStatus {
  const { userId: _conta, seq: _seq, ativa, ...conversa } = dados
  const outras = atual.conversasAtivas.filter((c) => c.id !== conversa.id)
  return { ...atual, conversasAtivas: ativa === false ? outras : [conversa, ...outras] }
}

/** Returns the bot status after an event. Events of other accounts change nothing. */
export function aplicarEmBotStatus(atual: BotStatus, recebido: EventoServidor, contaId: string): BotStatus {
  if (recebido.dados.userId !== contaId) return atual
  switch (recebido.evento) {
    case 'botStatus': {
      const { userId: _conta, seq: _seq, ...status } = recebido.dados
      return status
    }
    case 'botStatusChange':
      return comStatus(atual, recebido.dados)
    case 'botQrCode':
      return comQrCode(atual, recebido.dados)
    case 'botLog':
      return { ...atual, logs: [...aplicarEmLogs(atual.logs, recebido, contaId)] }
    case 'botConversaAtiva':
      return comConversaAtiva(atual, recebido.dados)
    case 'botMensagem':
    case 'novaConversaHumana':
    case 'mensagemConversaHumana':
    case 'conversaAssumida':
    case 'conversaFinalizada':
    case 'conversaTransferida':
    case 'clienteDigitando':
    case 'operadorStatusChange':
      return atual
  }
}
