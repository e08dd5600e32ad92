import { describe, expect, it } from 'vitest'
import { eventos, NOMES_EVENTOS, parseEvento } from './realtime.ts'

describe('parseEvento', () => {
  it('reads a known event and drops unknown fields', () => {
    const dados = { userId: 'c', conversaId: 'x', novoSetor: 'suporte', intruso: 1 }
    expect(parseEvento('conversaTransferida', dados)).toEqual({
      evento: 'conversaTransferida',
      dados: { userId: 'c', conversaId: 'x', novoSetor: 'suporte' },
    })
  })

  it('returns null for an unknown name, a payload without account, or null', () => {
    expect(parseEvento('outroEvento', { userId: 'c' })).toBeNull()
    expect(parseEvento('conversaFinalizada', { conversaId: 'x' })).toBeNull()
    expect(parseEvento('botStatus', null)).toBeNull()
  })

  it('lists all events, each with the account in `userId`', () => {
    expect(NOMES_EVENTOS.toSorted()).toEqual(Object.keys(eventos).toSorted())
    for (const nome of NOMES_EVENTOS) expect(Object.keys(eventos[nome].shape)).toContain('userId')
  })
})
