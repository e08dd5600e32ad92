import { describe, expect, it } from 'vitest'
import { createReenvios } from '#reenvios.ts'
import { createAnfitriao, novoDisco } from './anfitriao-em-memoria.ts'
import { quando } from './quando.ts'

describe('createReenvios', () => {
  it('resends again when the device repeats its request during the resend', async () => {
    const disco = novoDisco()
    const enviadas: { readonly quem: readonly string[]; readonly confirmar: () => void }[] = []
    const reenvios = createReenvios({
      ...{ chaves: createAnfitriao(disco).chaves, esperas: () => 0, parada: () => false, prazoMs: 0 },
      enviar: (_, quem) => new Promise((resolve) => enviadas.push({ quem, confirmar: resolve })),
      registrar: (erro) => {
        throw erro
      },
    })
    await reenvios.pedido('3EB0', 'ana:3@lid')
    await quando(() => expect(enviadas).toHaveLength(1))
    await reenvios.pedido('3EB0', 'ana:3@lid')
    enviadas[0]?.confirmar()
    await quando(() => expect(enviadas).toHaveLength(2))
    expect(enviadas.map(({ quem }) => quem)).toEqual([['ana:3@lid'], ['ana:3@lid']])
    enviadas[1]?.confirmar()
    await quando(() => expect(disco.chaves.size).toBe(0))
  })
})
