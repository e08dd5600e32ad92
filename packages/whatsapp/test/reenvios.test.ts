import { describe, expect, it } from 'vitest'
import { Resends } from '#outbound/resends.ts'
import { createTestHost, newDisk } from './memory-host.ts'
import { eventually } from './eventually.ts'

describe('Resends', () => {
  it('resends again when the device repeats its request during the resend', async () => {
    const disk = newDisk()
    const sent: { readonly quem: readonly string[]; readonly confirmar: () => void }[] = []
    const reenvios = new Resends({
      ...{ keys: createTestHost(disk).keys, delays: () => 0, ended: new AbortController().signal, graceMs: 0 },
      resend: (_, quem) => new Promise((resolve) => sent.push({ quem, confirmar: resolve })),
      logFailure: (error) => {
        throw error
      },
    })
    await reenvios.requested('3EB0', 'ana:3@lid')
    await eventually(() => expect(sent).toHaveLength(1))
    await reenvios.requested('3EB0', 'ana:3@lid')
    sent[0]?.confirmar()
    await eventually(() => expect(sent).toHaveLength(2))
    expect(sent.map(({ quem }) => quem)).toEqual([['ana:3@lid'], ['ana:3@lid']])
    sent[1]?.confirmar()
    await eventually(() => expect(disk.keys.size).toBe(0))
  })
})
