import { describe, expect, it } from 'vitest'
import { eventSchemas, SERVER_EVENT_NAMES, parseServerEvent } from './realtime.ts'

describe('parseEvento', () => {
  it('reads a known event and drops unknown fields', () => {
    const data = { userId: 'c', conversaId: 'x', novoSetor: 'suporte', intruso: 1 }
    expect(parseServerEvent('conversaTransferida', data)).toEqual({
      evento: 'conversaTransferida',
      dados: { userId: 'c', conversaId: 'x', novoSetor: 'suporte' },
    })
  })

  it('returns null for an unknown name, a payload without account, or null', () => {
    expect(parseServerEvent('outroEvento', { userId: 'c' })).toBeNull()
    expect(parseServerEvent('conversaFinalizada', { conversaId: 'x' })).toBeNull()
    expect(parseServerEvent('botStatus', null)).toBeNull()
  })

  it('has the account in `userId` of each event', () => {
    for (const name of SERVER_EVENT_NAMES) expect(Object.keys(eventSchemas[name].shape)).toContain('userId')
  })
})
