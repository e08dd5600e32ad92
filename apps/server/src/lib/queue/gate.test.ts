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
    const { run, check } = createGate({ atOnce: 2, waiting: 2, full: () => new AppError('servidorOcupado') })
    const [a, b, c, d] = [trabalho(), trabalho(), trabalho(), trabalho()]
    const comecaram = () => [a, b, c, d].map(({ feito }) => feito.comecou)
    const [fa, fb, fc, fd] = [a, b, c, d].map(({ fazer }) => run(fazer))
    expect(comecaram()).toEqual([true, true, false, false])
    await expect(run(() => Promise.resolve('x'))).rejects.toMatchObject({ codigo: 'servidorOcupado' })
    expect(() => check()).toThrow()

    b.feito.reject(new Error('broken'))
    await expect(fb).rejects.toThrow('broken')
    expect(comecaram()).toEqual([true, true, true, false])
    a.feito.resolve('a')
    expect(await fa).toBe('a')
    expect(comecaram()).toEqual([true, true, true, true])
    c.feito.resolve('c')
    d.feito.resolve('d')
    expect(await Promise.all([fc, fd])).toEqual(['c', 'd'])
    expect(() => check()).not.toThrow()
    expect(await run(() => Promise.resolve('x'))).toBe('x')
  })

  it('serves the lists of the keys in turn', async () => {
    const { run } = createGate({ atOnce: 1, waiting: 10, full: () => new AppError('servidorOcupado') })
    const order: string[] = []
    const take = (name: string, key: string): Promise<void> => run(() => Promise.resolve(void order.push(name)), key)
    await Promise.all([
      take('a1', 'a'),
      take('a2', 'a'),
      take('a3', 'a'),
      take('b1', 'b'),
      take('c1', 'c'),
      take('b2', 'b'),
    ])
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  it('leaves free slots to other keys when one key runs its maximum', async () => {
    const { run, check } = createGate({
      ...{ atOnce: 3, waiting: 10, runningPerKey: () => 2 },
      full: () => new AppError('servidorOcupado'),
    })
    const works = [trabalho(), trabalho(), trabalho(), trabalho(), trabalho()]
    const started = () => works.map(({ feito }) => feito.comecou)
    const keys = ['a', 'a', 'a', 'b', 'b']
    const done = works.map(({ fazer }, n) => run(fazer, keys[n]))
    expect(started()).toEqual([true, true, false, true, false])
    expect(() => check('a')).not.toThrow()
    works[3]?.feito.resolve('')
    await done[3]
    expect(started()).toEqual([true, true, false, true, true])
    works[0]?.feito.resolve('')
    await done[0]
    expect(started()).toEqual([true, true, true, true, true])
    for (const { feito } of works) feito.resolve('')
    await Promise.all(done)
    expect(await run(() => Promise.resolve('x'), 'a')).toBe('x')
  })

  it('bounds the callers of one key and lets another key displace the longest list', async () => {
    const { run } = createGate({ atOnce: 1, waiting: 4, waitingPerKey: 3, full: () => new AppError('servidorOcupado') })
    const blocker = trabalho()
    const first = run(blocker.fazer, 'a')
    const order: string[] = []
    const take = (name: string, key: string): Promise<string> =>
      run(() => Promise.resolve(void order.push(name)), key).then(
        () => 'feito',
        (error: AppError) => error.codigo,
      )
    const answers = [
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['a4', 'a'],
      ['b1', 'b'],
      ['c1', 'c'],
      ['d1', 'd'],
      ['e1', 'e'],
    ]
    const waiting = answers.map(([name = '', key = '']) => take(name, key))
    blocker.feito.resolve('')
    await first
    expect(await Promise.all(waiting)).toEqual([
      'feito',
      'servidorOcupado',
      'servidorOcupado',
      'servidorOcupado',
      'feito',
      'feito',
      'feito',
      'servidorOcupado',
    ])
    expect(order).toEqual(['a1', 'b1', 'c1', 'd1'])
    await run(() => Promise.resolve())
  })
})
