import { describe, expect, it } from 'vitest'
import { connectorOf, connectorsPairedBy, CONNECTORS } from './connectors.ts'
import { CONECTORES } from './constants.ts'

describe('CONNECTORS', () => {
  it('gives the names of the stored configuration in the order of the panel', () => {
    expect(CONECTORES).toEqual(['simulador', 'whatsapp', 'navegador', 'oficial'])
  })

  it('finds the row of a channel and none for an unknown or inherited name', () => {
    expect(connectorOf('oficial')).toBe(CONNECTORS.oficial)
    expect([connectorOf('telegrama'), connectorOf('toString')]).toEqual([null, null])
  })

  it('lists the connectors by their way of pairing', () => {
    expect([connectorsPairedBy('code'), connectorsPairedBy('browser')]).toEqual([['whatsapp'], ['navegador']])
  })
})
