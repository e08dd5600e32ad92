import { describe, expect, it } from 'vitest'
import type { BotStatus } from '#entities/bot-status.ts'
import type { EventoServidor } from '#realtime.ts'
import { apos, CONTA, INSTANTE } from '#testing/amostras.ts'
import { BOT_STATUS_INICIAL } from '#status-bot.ts'
import { aplicarEmBotStatus } from './bot-status.ts'
import { aplicarEmLogs, aplicarEmMensagensBot } from './registros.ts'

function seguir(recebidos: readonly EventoServidor[], inicio = BOT_STATUS_INICIAL): BotStatus {
  return recebidos.reduce((atual, recebido) => aplicarEmBotStatus(atual, recebido, CONTA), inicio)
}

function status(valor: BotStatus['status']): EventoServidor {
  return { evento: 'botStatusChange', dados: { userId: CONTA, status: valor } }
}

function umLog(id: string, userId = CONTA): EventoServidor {
  return { evento: 'botLog', dados: { userId, seq: 1, id, tipo: 'bot', mensagem: 'Oi', timestamp: INSTANTE } }
}

const qr: EventoServidor = { evento: 'botQrCode', dados: { userId: CONTA, qrCode: '2@abc', qrExpiraEm: apos(60_000) } }

describe('aplicarEmBotStatus', () => {
  it('shows the QR code while waiting and clears it once connected', () => {
    const esperando = seguir([status('INICIALIZANDO'), status('AGUARDANDO_QR'), qr])
    expect(esperando).toMatchObject({ status: 'AGUARDANDO_QR', qrCode: '2@abc', qr: '2@abc', isRunning: false })
    expect(esperando.qrExpiraEm).toBe(apos(60_000))
    const conectado = seguir([status('CONECTADO')], esperando)
    expect(conectado).toEqual({ ...BOT_STATUS_INICIAL, status: 'CONECTADO', isRunning: true, inicializado: true })
  })

  it('keeps the reason only until the next status', () => {
    const perdido: EventoServidor = {
      evento: 'botStatusChange',
      dados: { userId: CONTA, status: 'ERRO', motivo: 'banido' },
    }
    expect(seguir([perdido]).motivo).toBe('banido')
    expect(seguir([perdido, status('INICIALIZANDO')])).not.toHaveProperty('motivo')
  })

  it('takes a whole status without the fields of the event', () => {
    const inteiro: BotStatus = { ...BOT_STATUS_INICIAL, status: 'CONECTADO', isRunning: true, inicializado: true }
    expect(seguir([{ evento: 'botStatus', dados: { ...inteiro, userId: CONTA, seq: 4 } }])).toEqual(inteiro)
  })

  it('ignores events of another account', () => {
    const alheio: EventoServidor = { evento: 'botStatusChange', dados: { userId: 'outra', status: 'CONECTADO' } }
    expect(seguir([alheio, umLog('l1', 'outra')])).toBe(BOT_STATUS_INICIAL)
  })

  it('lists each active contato once, latest first, until it ends', () => {
    const ativa = (id: string, nome: string, ativo?: boolean): EventoServidor => ({
      evento: 'botConversaAtiva',
      dados: { userId: CONTA, id, telefone: '55119', nome, ...(ativo === undefined ? {} : { ativa: ativo }) },
    })
    const duas = seguir([ativa('a', 'Ana'), ativa('b', 'Bia'), ativa('a', 'Ana Lima')])
    expect(duas.conversasAtivas.map((c) => c.nome)).toEqual(['Ana Lima', 'Bia'])
    expect(seguir([ativa('a', 'Ana', false)], duas).conversasAtivas.map((c) => c.id)).toEqual(['b'])
  })
})

describe('aplicarEmLogs', () => {
  it('keeps the last 100 entries, newest first, without duplicates', () => {
    let logs = aplicarEmLogs([], umLog('l0'), CONTA)
    for (let i = 1; i <= 100; i += 1) logs = aplicarEmLogs(logs, umLog(`l${i}`), CONTA)
    logs = aplicarEmLogs(logs, umLog('l100'), CONTA)
    expect(logs).toHaveLength(100)
    expect([logs.at(0)?.id, logs.at(-1)?.id]).toEqual(['l100', 'l1'])
    expect(logs.at(0)).not.toHaveProperty('userId')
  })
})

describe('aplicarEmMensagensBot', () => {
  const mensagem = (id: string, estado?: 'pendente' | 'enviada'): EventoServidor => ({
    evento: 'botMensagem',
    dados: {
      userId: CONTA,
      id,
      timestamp: INSTANTE,
      conteudo: 'Oi',
      contato: 'Ana',
      telefone: '55119',
      direcao: 'saida',
      origem: 'bot',
      ...(estado === undefined ? {} : { estado }),
    },
  })

  it('updates a known message in place and keeps at most the given number', () => {
    const duas = aplicarEmMensagensBot(
      aplicarEmMensagensBot([], mensagem('a', 'pendente'), CONTA),
      mensagem('b'),
      CONTA,
    )
    const entregue = aplicarEmMensagensBot(duas, mensagem('a', 'enviada'), CONTA)
    expect(entregue.map((m) => [m.id, m.estado])).toEqual([
      ['b', undefined],
      ['a', 'enviada'],
    ])
    expect(aplicarEmMensagensBot(entregue, mensagem('a', 'pendente'), CONTA)).toEqual(entregue)
    expect(aplicarEmMensagensBot(entregue, mensagem('c'), CONTA, 2).map((m) => m.id)).toEqual(['c', 'b'])
  })
})
