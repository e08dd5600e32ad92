import { describe, expect, it } from 'vitest'
import { createResends } from '#reenvios.ts'
import { createTestHost, newDisk } from './anfitriao-em-memoria.ts'
import { eventually } from './quando.ts'

describe('createReenvios', () => {
  it('resends again when the device repeats its request during the resend', async () => {
    const disco = newDisk()
    const enviadas: { readonly quem: readonly string[]; readonly confirmar: () => void }[] = []
    const reenvios = createResends({
      ...{ keys: createTestHost(disco).keys, delays: () => 0, isStopped: () => false, graceMs: 0 },
      resend: (_, quem) => new Promise((resolve) => enviadas.push({ quem, confirmar: resolve })),
      logFailure: (erro) => {
        throw erro
      },
    })
    await reenvios.requested('3EB0', 'ana:3@lid')
    await eventually(() => expect(enviadas).toHaveLength(1))
    await reenvios.requested('3EB0', 'ana:3@lid')
    enviadas[0]?.confirmar()
    await eventually(() => expect(enviadas).toHaveLength(2))
    expect(enviadas.map(({ quem }) => quem)).toEqual([['ana:3@lid'], ['ana:3@lid']])
    enviadas[1]?.confirmar()
    await eventually(() => expect(disco.keys.size).toBe(0))
  })
})
