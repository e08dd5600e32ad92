import { describe, expect, it } from 'vitest'
import { AppError } from '#errors.ts'
import { createGate } from './gate.ts'

function trabalho() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const feito = { comecou: false, resolve, reject }
  return {
    feito,
    fazer: () => {
      feito.comecou = true
      return promise
    },
  }
}

describe('createGate', () => {
  it('runs two jobs, queues two in order and frees the slot of a failed job', async () => {
    const { run } = createGate({ atOnce: 2, waiting: 2, full: () => new AppError('servidorOcupado') })
    const [a, b, c, d] = [trabalho(), trabalho(), trabalho(), trabalho()]
    const comecaram = () => [a, b, c, d].map(({ feito }) => feito.comecou)
    const [fa, fb, fc, fd] = [a, b, c, d].map(({ fazer }) => run(fazer))
    expect(comecaram()).toEqual([true, true, false, false])
    await expect(run(() => Promise.resolve('x'))).rejects.toMatchObject({ codigo: 'servidorOcupado' })

    b.feito.reject(new Error('broken'))
    await expect(fb).rejects.toThrow('broken')
    expect(comecaram()).toEqual([true, true, true, false])
    a.feito.resolve('a')
    expect(await fa).toBe('a')
    expect(comecaram()).toEqual([true, true, true, true])
    c.feito.resolve('c')
    d.feito.resolve('d')
    expect(await Promise.all([fc, fd])).toEqual(['c', 'd'])
    expect(await run(() => Promise.resolve('x'))).toBe('x')
  })
})
