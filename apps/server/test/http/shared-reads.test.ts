import { expect, it } from 'vitest'
import { createSharedReads } from '#lib/queue/share-reads.ts'

function umaLoja() {
  const fins: (() => void)[] = []
  const loja = { valor: 0, leituras: 0, falhar: false }
  const ler = async (): Promise<{ valor: number }> => {
    loja.leituras += 1
    const { valor, falhar } = loja
    await new Promise<void>((resolve) => void fins.push(resolve))
    if (falhar) throw new Error('away')
    return { valor }
  }
  const acabar = async (): Promise<void> => {
    fins.shift()?.()
    for (let vez = 0; vez < 5; vez += 1) await Promise.resolve()
  }
  return { loja, ler, acabar }
}

it('answers all waiting callers with one read that starts after their calls', async () => {
  const { loja, ler, acabar } = umaLoja()
  const merge = createSharedReads<{ valor: number }>()
  const first = merge('a', ler)
  loja.valor = 1
  const second = merge('a', ler)
  loja.valor = 2
  const terceira = merge('a', ler)
  expect(loja.leituras).toBe(1)
  await acabar()
  expect(await first).toEqual({ valor: 0 })
  expect(loja.leituras).toBe(2)
  // Called during the second read, which may have started before the last save.
  loja.valor = 3
  const quarta = merge('a', ler)
  await acabar()
  expect(await Promise.all([second, terceira])).toEqual([{ valor: 2 }, { valor: 2 }])
  await acabar()
  expect(await quarta).toEqual({ valor: 3 })
  expect(loja.leituras).toBe(3)
})

it('keeps keys apart and fails only the callers of a failed read', async () => {
  const { loja, ler, acabar } = umaLoja()
  const merge = createSharedReads<{ valor: number }>()
  loja.falhar = true
  const mine = merge('a', ler)
  loja.falhar = false
  const dele = merge('b', ler)
  const after = merge('a', ler)
  expect(loja.leituras).toBe(2)
  const failure = expect(mine).rejects.toThrow('away')
  await acabar()
  await failure
  await acabar()
  await acabar()
  expect(await dele).toEqual({ valor: 0 })
  expect(await after).toEqual({ valor: 0 })
})
