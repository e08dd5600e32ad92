import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignWaiting, type Candidate, nextPerson } from './next-person.ts'

const person = (id: string, fields: Partial<Candidate> = {}): Candidate => ({
  ...{ id, setores: [], linhas: [], serving: 0, lastAt: null },
  ...fields,
})
const inSetor = (setor: string | null, passedBy: string[] = []) => ({ setor, linhaId: 'centro', passedBy })

describe('nextPerson', () => {
  it.each([
    ['the fewest conversas', [person('a', { serving: 2 }), person('b', { serving: 1, lastAt: 9 })], 'b'],
    ['the longest time without a new one', [person('a', { lastAt: 5 }), person('b', { lastAt: 4 })], 'b'],
    ['a person who never got one', [person('a', { lastAt: 5 }), person('b')], 'b'],
    ['the first id of equal people', [person('b'), person('a')], 'a'],
    ['a person of the setor', [person('a', { setores: ['suporte'] }), person('b', { setores: ['vendas'] })], 'b'],
    ['a person of all setores', [person('a', { setores: ['suporte'] }), person('b', { serving: 4 })], 'b'],
    [
      'a person of the line',
      [person('a', { linhas: ['norte'] }), person('b', { linhas: ['centro'], serving: 4 })],
      'b',
    ],
    ['no person at capacity', [person('a', { serving: 5 }), person('b', { serving: 6 })], undefined],
    ['no person of another setor', [person('a', { setores: ['suporte'] })], undefined],
    ['no person of an empty team', [], undefined],
  ])('chooses %s', (_, people, chosen) => {
    expect(nextPerson(people, inSetor('vendas'), 5)?.id).toBe(chosen)
  })

  it('gives Geral and conversas without a setor to every person', () => {
    const people = [person('a', { setores: ['suporte'] })]
    for (const setor of ['geral', null]) expect(nextPerson(people, inSetor(setor), 1)?.id).toBe('a')
  })

  it('leaves out people who let the conversa go', () => {
    const people = [person('a'), person('b', { serving: 3 })]
    expect(nextPerson(people, inSetor('vendas', ['a']), 5)?.id).toBe('b')
    expect(nextPerson(people, inSetor('vendas', ['a', 'b']), 5)).toBeNull()
  })
})

/** People serve a conversa for a random time. Returns how many conversas each of them got. */
function simulate(seed: number, arrivals: number, size: number, capacity: number): number[] {
  let state = seed
  const chance = (n: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % n
  }
  const team = Array.from({ length: size }, (_, i) => person(`p${String(i).padStart(2, '0')}`))
  let people: readonly Candidate[] = team
  const got = new Map(team.map(({ id }) => [id, 0]))
  let queue: string[] = []
  let active: { until: number; id: string }[] = []
  for (let now = 1; now <= arrivals || queue.length > 0; now += 1) {
    const ended = active.filter(({ until }) => until <= now)
    active = active.filter(({ until }) => until > now)
    people = people.map((one) => ({ ...one, serving: one.serving - ended.filter(({ id }) => id === one.id).length }))
    if (now <= arrivals) queue.push(`c${now}`)
    const waiting = queue.map((id) => ({ id, ...inSetor('geral') }))
    for (const { conversaId, personId } of assignWaiting(people, waiting, { capacity, now })) {
      queue = queue.filter((id) => id !== conversaId)
      got.set(personId, (got.get(personId) ?? 0) + 1)
      people = people.map((one) => (one.id === personId ? { ...one, serving: one.serving + 1, lastAt: now } : one))
      active.push({ until: now + 1 + chance(2 * size * capacity), id: personId })
      expect(people.find(({ id }) => id === personId)?.serving).toBeLessThanOrEqual(capacity)
    }
  }
  return [...got.values()]
}

describe('assignWaiting', () => {
  it('spreads 10,000 arrivals over 20 people within 10 % and never above capacity', () => {
    const got = simulate(20_261_123, 10_000, 20, 5)
    expect(got.reduce((sum, n) => sum + n, 0)).toBe(10_000)
    expect(Math.max(...got) - Math.min(...got)).toBeLessThanOrEqual(50)
  })

  it('gives no conversa twice, none above capacity, and none while a free person of its setor stays idle', () => {
    const setor = fc.constantFrom('vendas', 'suporte', 'geral')
    const people = fc.array(
      fc.record({
        setores: fc.subarray(['vendas', 'suporte']),
        serving: fc.integer({ min: 0, max: 6 }),
        lastAt: fc.option(fc.integer({ min: 0, max: 100 })),
      }),
      { maxLength: 8 },
    )
    const capacities = fc.integer({ min: 1, max: 5 })
    fc.assert(
      fc.property(people, fc.array(setor, { maxLength: 30 }), capacities, (rows, setores, capacity) => {
        const team = rows.map((row, index) => ({ id: `p${index}`, linhas: [], ...row }))
        const waiting = setores.map((one, index) => ({ id: `c${index}`, ...inSetor(one) }))
        const given = assignWaiting(team, waiting, { capacity, now: 1_000 })
        expect(new Set(given.map(({ conversaId }) => conversaId)).size).toBe(given.length)
        const after = team.map((one) => ({
          ...one,
          gained: given.filter(({ personId }) => personId === one.id).length,
        }))
        for (const { gained, serving } of after) {
          if (gained > 0) expect(serving + gained).toBeLessThanOrEqual(capacity)
        }
        const left = waiting.filter(({ id }) => given.every(({ conversaId }) => conversaId !== id))
        const free = after.map(({ gained, ...one }) => ({ ...one, serving: one.serving + gained }))
        for (const conversa of left) expect(nextPerson(free, conversa, capacity)).toBeNull()
      }),
    )
  })
})
