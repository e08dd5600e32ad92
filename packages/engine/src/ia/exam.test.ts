import { describe, expect, it } from 'vitest'
import { defaultConfig } from '@balcao/contract/defaults'
import { checkExamAnswer, examSettings, type Expected } from './exam.ts'

const expectation = (part: Partial<Expected>): Expected => ({ contem: [], naoContem: [], ...part })
const said = (texto: string) => ({ tipo: 'texto', texto }) as const
const contains = (answer: string, wanted: string): boolean =>
  checkExamAnswer(expectation({ contem: [wanted] }), said(answer)).passou

describe('checkExamAnswer', () => {
  it.each([
    ['A caneca custa R$10', 'R$ 10,00'],
    ['São 10 reais.', 'R$ 10,00'],
    ['Sai por R$\u00a01.234,50!', 'R$ 1234,5'],
    ['*R$ 10,00*, com frete', 'r$10'],
    ['Abrimos das 8 às 18h30', '08:00'],
    ['Abrimos das 8 às 18h30', '18:30'],
    ['até as 18 horas', '18:00'],
    ['das 09h00 às 17hs', '17h'],
    ['Funcionamos 24 horas', '24h'],
    ['NÃO temos ESTÁGIO', 'nao temos estagio'],
  ])('finds in %j the text %j', (answer, wanted) => expect(contains(answer, wanted)).toBe(true))

  it.each([
    ['Custa R$ 100,00', 'R$ 10,00'],
    ['Custa R$ 10,50', 'R$ 10'],
    ['Custa R$ 110', 'R$ 10'],
    ['Abrimos às 18:00', '8:00'],
    ['Abrimos às 8h30', '8h'],
    ['', 'pix'],
  ])('does not find in %j the text %j', (answer, wanted) => expect(contains(answer, wanted)).toBe(false))

  it('names all reasons of a failure', () => {
    const expected = expectation({ contem: ['pix', 'dinheiro'], naoContem: ['Desconto'], transfere: true })
    expect(checkExamAnswer(expected, said('Aceitamos pix, com DESCONTO.'))).toEqual({
      passou: false,
      motivo: 'Devia chamar uma pessoa. Faltou “dinheiro”. Não podia dizer “Desconto”.',
    })
  })

  it('accepts both with and without a person unless the question decides', () => {
    const transfer = { tipo: 'transferir', texto: 'Já chamo.' } as const
    expect(checkExamAnswer(expectation({}), transfer)).toEqual({ passou: true })
    expect(checkExamAnswer(expectation({ transfere: true }), transfer)).toEqual({ passou: true })
    expect(checkExamAnswer(expectation({ transfere: false }), transfer).motivo).toBe('Não devia chamar uma pessoa.')
  })
})

describe('examSettings', () => {
  it('holds what changes answers, and no key', () => {
    const { ia } = defaultConfig()
    const unseen = { apiKey: 'x', ativa: !ia.ativa, exigirProva: true, orcamentoCentavosMes: 5, transcrever: true }
    expect(examSettings({ ...ia, ...unseen })).toEqual(examSettings(ia))
    expect(examSettings({ ...ia, promptTreinamento: 'Outro' })).not.toEqual(examSettings(ia))
    expect(JSON.stringify(examSettings({ ...ia, apiKey: 'segredo' }))).not.toContain('segredo')
  })
})
