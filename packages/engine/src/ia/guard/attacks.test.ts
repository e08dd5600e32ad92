import { describe, expect, it } from 'vitest'
import { checkAnswer } from './check-answer.ts'
import { attackedShop, readAttacks } from './testing/attacks.ts'
import attacksFile from './testing/attacks.tsv?raw'

const ATTACKS = readAttacks(attacksFile).map((attack) => ({ ...attack, name: `${attack.carrier}: ${attack.texto}` }))
const INVISIBLE = /[\p{Cf}\u{e0100}-\u{e01ef}]|(?![\n\t])\p{Cc}/u

describe('attacks on the assistant', () => {
  it('are at least 60', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(60)
  })

  it.each(ATTACKS)('stay inside their section of the prompt, $name', (attack) => {
    const { instrucoes, pergunta } = attackedShop(attack)
    for (const name of ['dados_da_empresa', 'orientacoes_da_empresa']) {
      expect(instrucoes.split(`<${name}>`)).toHaveLength(2)
      expect(instrucoes.split(`</${name}>`)).toHaveLength(2)
    }
    expect(instrucoes).toMatch(/<\/(?:dados|fontes)_da_empresa>$/)
    expect(`${instrucoes}${pergunta}`).not.toMatch(INVISIBLE)
  })

  it.each(ATTACKS)('support nothing that an obeying model answers, $name', (attack) => {
    const { evidence } = attackedShop(attack)
    expect(checkAnswer(attack.obedience, evidence)).toMatchObject({ retida: true })
  })
})
