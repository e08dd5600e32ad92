import { describe, expect, it } from 'vitest'
import { channelOf, channelParts, connectorOf, connectorsPairedBy, CONNECTORS } from './connectors.ts'
import { CONECTORES } from './constants.ts'

describe('CONNECTORS', () => {
  it('gives the names of the stored configuration in the order of the panel', () => {
    expect(CONECTORES).toEqual(['simulador', 'whatsapp', 'navegador', 'oficial', 'webchat'])
  })

  it('finds the row of a channel and none for an unknown or inherited name', () => {
    expect(connectorOf('oficial')).toBe(CONNECTORS.oficial)
    expect([connectorOf('telegrama'), connectorOf('toString')]).toEqual([null, null])
  })

  it('names the channel of a line and finds its connector', () => {
    for (const linha of [null, '3f0c9a52-0000-4000-8000-000000000001']) {
      const channel = channelOf({ conector: 'oficial', linha })
      expect(channelParts(channel)).toEqual({ conector: 'oficial', linha })
      expect(connectorOf(channel)).toBe(CONNECTORS.oficial)
    }
    expect(channelOf({ conector: 'oficial', linha: null })).toBe('oficial')
  })

  it('lists the connectors by their way of pairing', () => {
    expect([connectorsPairedBy('code'), connectorsPairedBy('browser')]).toEqual([['whatsapp'], ['navegador']])
  })
})
