import { describe, expect, it } from 'vitest'
import { parseRobots, robotsAllow } from './robots.ts'
import { fuseRankings, questionRoots, unknownRoots, weighWords } from './rank.ts'
import { rootsOf } from './roots.ts'

describe('rootsOf', () => {
  it.each([
    ['entrega entregas entregar entregam entregue entregando'],
    ['vacina vacinas vacinação vacinado vacinar'],
    ['troca trocas trocar trocamos troquei'],
    ['grátis'],
    ['estacionamento estacionar'],
    ['alérgico alérgica ALÉRGICOS'],
  ])('gives the words %j one root', (text) => {
    expect(rootsOf(text)).toHaveLength(1)
  })

  it('leaves out greetings and empty words, and reads short forms', () => {
    expect(rootsOf('Boa noite, vcs tem a entrega?')).toEqual(rootsOf('entrega'))
    expect(rootsOf('qto')).toEqual(rootsOf('quanto'))
  })
})

describe('weighWords', () => {
  const known = [
    { palavra: 'entreg', trechos: 900 },
    { palavra: 'raro', trechos: 2 },
  ]

  it('weighs a rare word more than a frequent one', () => {
    const { palavras } = weighWords({ roots: ['entreg', 'raro'], wanted: [] }, known, [], 1_000)
    const weights = Object.fromEntries(palavras.map(({ palavra, exato }) => [palavra, exato]))
    expect(weights['raro']).toBeGreaterThan(weights['entreg'] ?? 0)
  })

  it('counts a misspelt word only in the broad ranking', () => {
    const question = questionRoots('entrga')
    expect(unknownRoots(question, known)).toEqual(['entrg'])
    const similar = [{ procurada: 'entrg', palavra: 'entreg', trechos: 900 }]
    expect(weighWords(question, known, similar, 1_000).palavras).toEqual([
      { palavra: 'entreg', exato: 0, amplo: expect.closeTo(0.08, 1) },
    ])
  })

  it('chooses the rarest words first and at least one', () => {
    const frequent = [{ palavra: 'a', trechos: 9_000 }, ...known]
    const { raras } = weighWords({ roots: ['a', 'entreg', 'raro'], wanted: [] }, frequent, [], 10_000)
    expect(raras).toEqual(['raro', 'entreg'])
    expect(weighWords({ roots: ['a'], wanted: [] }, frequent, [], 10_000).raras).toEqual(['a'])
  })
})

describe('fuseRankings', () => {
  it('puts keys of several lists before keys of one', () => {
    expect(fuseRankings([['a', 'b'], ['b', 'c'], []]).map(({ key }) => key)).toEqual(['b', 'a', 'c'])
  })
})

describe('parseRobots', () => {
  const text = `
User-agent: outro
Disallow: /
# comment
User-agent: *
User-agent: balcao
Disallow: /conta
Disallow: /*.php$ # scripts
Allow: /conta/ajuda
Crawl-delay: 1.5
`
  it.each([
    ['/', true],
    ['/conta/dados', false],
    ['/conta/ajuda/1', true],
    ['/a/b.php', false],
    ['/a/b.php?x', true],
  ])('decides about %s: %s', (path, allowed) => {
    expect(robotsAllow(parseRobots(text, 'balcao'), path)).toBe(allowed)
  })

  it('prefers the group that names the crawler, and allows everything without a rule', () => {
    expect(
      robotsAllow(parseRobots('User-agent: *\nDisallow: /\n\nUser-agent: Balcao\nDisallow:', 'balcao'), '/x'),
    ).toBe(true)
    expect(parseRobots(text, 'balcao').delayS).toBe(1.5)
    expect(robotsAllow(parseRobots('lixo', 'balcao'), '/x')).toBe(true)
  })
})
