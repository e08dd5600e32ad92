import { describe, expect, it } from 'vitest'
import type { BotStatus } from '#entities/bot-status.ts'
import type { ServerEvent } from '#realtime.ts'
import { afterInstant, SAMPLE_CONTA_ID, SAMPLE_INSTANT } from '#testing/samples.ts'
import { BOT_STATUS_INICIAL } from '#bot-status.ts'
import { applyToBotStatus } from './bot-status.ts'
import { applyToLogs, applyToMensagensBot } from './registros.ts'

function seguir(received: readonly ServerEvent[], start = BOT_STATUS_INICIAL): BotStatus {
  return received.reduce((current, recebido) => applyToBotStatus(current, recebido, SAMPLE_CONTA_ID), start)
}

function status(value: BotStatus['status']): ServerEvent {
  return { evento: 'botStatusChange', dados: { userId: SAMPLE_CONTA_ID, status: value } }
}

function umLog(id: string, userId = SAMPLE_CONTA_ID): ServerEvent {
  return { evento: 'botLog', dados: { userId, seq: 1, id, tipo: 'bot', mensagem: 'Oi', timestamp: SAMPLE_INSTANT } }
}

const qr: ServerEvent = {
  evento: 'botQrCode',
  dados: { userId: SAMPLE_CONTA_ID, qrCode: '2@abc', qrExpiraEm: afterInstant(60_000) },
}

describe('aplicarEmBotStatus', () => {
  it('shows the QR code while waiting and clears it once connected', () => {
    const waiting = seguir([status('INICIALIZANDO'), status('AGUARDANDO_QR'), qr])
    expect(waiting).toMatchObject({ status: 'AGUARDANDO_QR', qrCode: '2@abc', qr: '2@abc', isRunning: false })
    expect(waiting.qrExpiraEm).toBe(afterInstant(60_000))
    const connected = seguir([status('CONECTADO')], waiting)
    expect(connected).toEqual({ ...BOT_STATUS_INICIAL, status: 'CONECTADO', isRunning: true, inicializado: true })
  })

  it('keeps the reason only until the next status', () => {
    const lost: ServerEvent = {
      evento: 'botStatusChange',
      dados: { userId: SAMPLE_CONTA_ID, status: 'ERRO', motivo: 'banido' },
    }
    expect(seguir([lost]).motivo).toBe('banido')
    expect(seguir([lost, status('INICIALIZANDO')])).not.toHaveProperty('motivo')
  })

  it('takes a whole status without the fields of the event', () => {
    const whole: BotStatus = { ...BOT_STATUS_INICIAL, status: 'CONECTADO', isRunning: true, inicializado: true }
    expect(seguir([{ evento: 'botStatus', dados: { ...whole, userId: SAMPLE_CONTA_ID, seq: 4 } }])).toEqual(whole)
  })

  it('ignores events of another account', () => {
    const alheio: ServerEvent = { evento: 'botStatusChange', dados: { userId: 'outra', status: 'CONECTADO' } }
    expect(seguir([alheio, umLog('l1', 'outra')])).toBe(BOT_STATUS_INICIAL)
  })

  it('lists each active contato once, latest first, until it ends', () => {
    const ativa = (id: string, nome: string, active?: boolean): ServerEvent => ({
      evento: 'botConversaAtiva',
      dados: {
        userId: SAMPLE_CONTA_ID,
        id,
        telefone: '55119',
        nome,
        ...(active === undefined ? {} : { ativa: active }),
      },
    })
    const duas = seguir([ativa('a', 'Ana'), ativa('b', 'Bia'), ativa('a', 'Ana Lima')])
    expect(duas.conversasAtivas.map((c) => c.nome)).toEqual(['Ana Lima', 'Bia'])
    expect(seguir([ativa('a', 'Ana', false)], duas).conversasAtivas.map((c) => c.id)).toEqual(['b'])
  })
})

describe('aplicarEmLogs', () => {
  it('keeps the last 100 entries, newest first, without duplicates', () => {
    let logs = applyToLogs([], umLog('l0'), SAMPLE_CONTA_ID)
    for (let i = 1; i <= 100; i += 1) logs = applyToLogs(logs, umLog(`l${i}`), SAMPLE_CONTA_ID)
    logs = applyToLogs(logs, umLog('l100'), SAMPLE_CONTA_ID)
    expect(logs).toHaveLength(100)
    expect([logs.at(0)?.id, logs.at(-1)?.id]).toEqual(['l100', 'l1'])
    expect(logs.at(0)).not.toHaveProperty('userId')
  })
})

describe('aplicarEmMensagensBot', () => {
  const mensagem = (id: string, estado?: 'pendente' | 'enviada'): ServerEvent => ({
    evento: 'botMensagem',
    dados: {
      userId: SAMPLE_CONTA_ID,
      id,
      timestamp: SAMPLE_INSTANT,
      conteudo: 'Oi',
      contato: 'Ana',
      telefone: '55119',
      direcao: 'saida',
      origem: 'bot',
      ...(estado === undefined ? {} : { estado }),
    },
  })

  it('updates a known message in place and keeps at most the given number', () => {
    const duas = applyToMensagensBot(
      applyToMensagensBot([], mensagem('a', 'pendente'), SAMPLE_CONTA_ID),
      mensagem('b'),
      SAMPLE_CONTA_ID,
    )
    const delivered = applyToMensagensBot(duas, mensagem('a', 'enviada'), SAMPLE_CONTA_ID)
    expect(delivered.map((m) => [m.id, m.estado])).toEqual([
      ['b', undefined],
      ['a', 'enviada'],
    ])
    expect(applyToMensagensBot(delivered, mensagem('a', 'pendente'), SAMPLE_CONTA_ID)).toEqual(delivered)
    expect(applyToMensagensBot(delivered, mensagem('c'), SAMPLE_CONTA_ID, 2).map((m) => m.id)).toEqual(['c', 'b'])
  })
})
